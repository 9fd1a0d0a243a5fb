package dev.tarn.benchmarks.yardstick;

import static java.util.Objects.requireNonNull;

import dev.tarn.benchmarks.measure.Measurement;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;

/**
 * On one thread: computes the MD5 of a body while writing it to a new file, then syncs the file.
 */
public record HashAndWrite(Path folder, ByteBuffer body) {
  private static final int STEP_BYTES = 1 << 20;

  public HashAndWrite {
    requireNonNull(folder, "folder is null");
    requireNonNull(body, "body is null");
  }

  /** Writes one file after the other for the duration. Each is removed once it is on the device. */
  public Measurement run(Duration duration) throws IOException {
    long cpu = threadCpuNanos();
    long start = System.nanoTime();
    long operations = 0;
    while (System.nanoTime() - start < duration.toNanos()) {
      write(folder.resolve("written-" + operations));
      operations++;
    }
    return new Measurement(
        operations,
        operations * body.remaining(),
        System.nanoTime() - start,
        threadCpuNanos() - cpu);
  }

  private static long threadCpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private void write(Path path) throws IOException {
    MessageDigest md5 = md5();
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      int length = body.remaining();
      for (int position = 0; position < length; position += STEP_BYTES) {
        ByteBuffer step =
            body.slice(body.position() + position, Math.min(STEP_BYTES, length - position));
        md5.update(step.duplicate());
        while (step.hasRemaining()) {
          file.write(step);
        }
      }
      md5.digest();
      file.force(true);
    } finally {
      Files.deleteIfExists(path);
    }
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK lacks MD5", e);
    }
  }
}
