package dev.tarn.benchmarks.yardstick;

import static java.util.Objects.requireNonNull;

import dev.tarn.benchmarks.measure.Measurement;
import dev.tarn.benchmarks.measure.ProcessCpu;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that append one record after another to one file with group commit. */
public record AppendLoad(Path folder, ByteBuffer entry, int writers) {
  public AppendLoad {
    requireNonNull(folder, "folder is null");
    requireNonNull(entry, "entry is null");
  }

  /** Appends to a new file for the duration, and removes the file. */
  public Measurement run(Duration duration) throws IOException {
    Path path = folder.resolve("appended");
    long pid = ProcessHandle.current().pid();
    try (GroupCommitAppender appender = new GroupCommitAppender(path);
        ExecutorService threads = Executors.newFixedThreadPool(writers)) {
      long cpu = ProcessCpu.nanos(pid);
      long start = System.nanoTime();
      List<Future<Long>> counts = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        counts.add(threads.submit(() -> append(appender, start + duration.toNanos())));
      }
      long operations = sum(counts);
      return new Measurement(
          operations,
          operations * entry.remaining(),
          System.nanoTime() - start,
          ProcessCpu.nanos(pid) - cpu);
    } finally {
      Files.deleteIfExists(path);
    }
  }

  private long append(GroupCommitAppender appender, long deadlineNanos) throws IOException {
    long count = 0;
    while (System.nanoTime() < deadlineNanos) {
      appender.append(entry);
      count++;
    }
    return count;
  }

  private static long sum(List<Future<Long>> counts) throws IOException {
    long sum = 0;
    try {
      for (Future<Long> count : counts) {
        sum += count.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("the appender failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while appending", e);
    }
    return sum;
  }
}
