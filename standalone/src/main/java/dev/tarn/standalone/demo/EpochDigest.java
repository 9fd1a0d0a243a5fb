package dev.tarn.standalone.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * A digest of the files that an epoch delivered, in any order: the sum of a 64-bit hash of each
 * file's name and content. The hash consists of two CRCs, which the processor computes at the speed
 * of memory. Otherwise the digest would dominate the measured time.
 */
final class EpochDigest {
  private final LongAdder sum = new LongAdder();
  private final LongAdder files = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  /**
   * Adds a file. Thread-safe.
   *
   * @param key the sample's key
   * @param extension the member's extension
   * @param content the file's bytes; its position and limit do not change
   */
  void add(String key, String extension, ByteBuffer content) {
    byte[] name = (key + "." + extension).getBytes(UTF_8);
    long high = checksum(new CRC32C(), name, content);
    long low = checksum(new CRC32(), name, content);
    sum.add(mix(high << 32 | low));
    files.increment();
    bytes.add(content.remaining());
  }

  private static long checksum(Checksum checksum, byte[] name, ByteBuffer content) {
    checksum.update(name);
    // Separates the name from the content: a byte that moves from one to the other changes the CRC.
    checksum.update(0);
    checksum.update(content.duplicate());
    return checksum.getValue();
  }

  /** Breaks the linearity of the CRCs: without this, two errors could cancel out in the sum. */
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 32)) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 29)) * 0xBF58476D1CE4E5B9L;
    return mixed ^ (mixed >>> 32);
  }

  /** The count, bytes and digest of all files added; equal results mean equal files. */
  Delivered delivered() {
    return new Delivered(files.sum(), bytes.sum(), sum.sum());
  }

  /** Files, bytes and digest of an epoch. */
  record Delivered(long files, long bytes, long digest) {
    @Override
    public String toString() {
      return "%,d files of %,d bytes, digest %016x".formatted(files, bytes, digest);
    }
  }
}
