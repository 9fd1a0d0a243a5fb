package dev.tarn.benchmarks.yardstick;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Reads files and computes the SHA-256 of each once: the least work to verify them. */
public final class HashOnce {
  private static final int BUFFER_BYTES = 1 << 20;

  private final int threads;

  /**
   * @param threads how many files are read at the same time
   */
  public HashOnce(int threads) {
    this.threads = threads;
  }

  /**
   * Reads the files of a folder.
   *
   * @param suffix the suffix of the files to read
   * @return the number of bytes read
   */
  public long read(Path folder, String suffix) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
    try (ExecutorService lanes = Executors.newFixedThreadPool(threads)) {
      List<Future<Long>> results = new ArrayList<>();
      files.forEach(file -> results.add(lanes.submit(() -> hash(file))));
      long bytes = 0;
      for (Future<Long> result : results) {
        bytes += result.get();
      }
      return bytes;
    } catch (ExecutionException e) {
      throw new IOException("a file could not be hashed: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while hashing", e);
    }
  }

  private static long hash(Path file) throws IOException, NoSuchAlgorithmException {
    MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    long bytes = 0;
    try (FileChannel channel = FileChannel.open(file)) {
      while (channel.read(buffer.clear()) >= 0) {
        bytes += buffer.position();
        sha256.update(buffer.flip());
      }
    }
    sha256.digest();
    return bytes;
  }
}
