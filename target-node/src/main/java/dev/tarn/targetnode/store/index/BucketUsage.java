package dev.tarn.targetnode.store.index;

import java.nio.ByteBuffer;

/**
 * The usage of a bucket on a disk.
 *
 * @param objects the number of versions; delete markers do not count
 * @param bytes of these versions that are on the disk; what versions share counts for each
 */
public record BucketUsage(long objects, long bytes) {
  /** Of a bucket without objects. */
  public static final BucketUsage NONE = new BucketUsage(0, 0);

  /** The sum. */
  public BucketUsage plus(BucketUsage other) {
    return new BucketUsage(objects + other.objects, bytes + other.bytes);
  }

  byte[] encode() {
    return ByteBuffer.allocate(16).putLong(objects).putLong(bytes).array();
  }

  static BucketUsage decode(byte[] value) {
    ByteBuffer buffer = ByteBuffer.wrap(value);
    return new BucketUsage(buffer.getLong(), buffer.getLong());
  }
}
