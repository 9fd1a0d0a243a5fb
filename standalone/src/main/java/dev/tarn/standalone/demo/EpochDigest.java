package dev.tarn.standalone.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * What an epoch delivered, whatever the order: the sum over its files of a 64-bit hash of name and
 * content. The hash is two CRCs, which the processor computes at the speed of memory, so that
 * checking does not become what is measured.
 */
final class EpochDigest {
  private final LongAdder sum = new LongAdder();
  private final LongAdder files = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  /**
   * Adds a file; from any thread.
   *
   * @param key and extension as a sample has them
   * @param content left as it was
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
    // Keeps a byte that moves from the name's end to the content's start from going unseen.
    checksum.update(0);
    checksum.update(content.duplicate());
    return checksum.getValue();
  }

  /** CRCs are linear, and so would their sum be: two errors could cancel out. */
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 32)) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 29)) * 0xBF58476D1CE4E5B9L;
    return mixed ^ (mixed >>> 32);
  }

  /** All that was added; equal exactly if the same files with the same bytes were. */
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
