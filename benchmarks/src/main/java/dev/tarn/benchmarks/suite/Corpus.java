package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.measure.Measurement;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Files of one size with seeded random content, the same for both sides.
 *
 * @param name the name of the size, also the name of the folder
 */
public record Corpus(String name, int fileBytes, int count) {
  private static final int KIBIBYTE = 1024;
  private static final int MEBIBYTE = 1024 * KIBIBYTE;

  public static Corpus kibibytes(int size, int count) {
    return new Corpus(size + "KiB", size * KIBIBYTE, count);
  }

  public static Corpus mebibytes(int size, int count) {
    return new Corpus(size + "MiB", size * MEBIBYTE, count);
  }

  /** The relative path and the content of a file. */
  public record Entry(String path, ByteBuffer content) {
    public long crc32c() {
      CRC32C crc = new CRC32C();
      crc.update(content.duplicate());
      return crc.getValue();
    }
  }

  /** The files, created one at a time to bound the memory. */
  public Stream<Entry> entries() {
    return IntStream.range(0, count).mapToObj(this::entry);
  }

  public Entry entry(int index) {
    byte[] content = new byte[fileBytes];
    new Random(index).nextBytes(content);
    ByteBuffer direct = ByteBuffer.allocateDirect(fileBytes).put(content).flip();
    return new Entry(path(index), direct);
  }

  public String path(int index) {
    return "%s/%06d.bin".formatted(name, index);
  }

  /**
   * The measurement of a round that read the corpus.
   *
   * @throws IOException if the samples or bytes differ from those of the corpus
   */
  public Measurement read(long samples, long bytes, long elapsedNanos) throws IOException {
    long expected = (long) count * fileBytes;
    if (samples != count || bytes != expected) {
      throw new IOException(
          "an epoch delivered %d samples of %d bytes, expected %d of %d"
              .formatted(samples, bytes, count, expected));
    }
    return new Measurement(samples, bytes, elapsedNanos, 0);
  }

  /** Writes the files below a folder. */
  public void write(Path folder) throws IOException {
    Files.createDirectories(folder.resolve(name));
    for (int i = 0; i < count; i++) {
      Entry entry = entry(i);
      byte[] content = new byte[fileBytes];
      entry.content().duplicate().get(content);
      Files.write(folder.resolve(entry.path()), content);
    }
  }
}
