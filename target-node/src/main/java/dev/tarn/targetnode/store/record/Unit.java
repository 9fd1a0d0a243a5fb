package dev.tarn.targetnode.store.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.Xxh64;
import java.nio.ByteBuffer;

/**
 * A unit of a cached object: {@link #BYTES} of its bytes, the last one fewer. What the record says
 * identifies the bytes, so a file of this unit has them, whatever has happened to the object since.
 *
 * @param etag identifies the bytes of the object
 * @param backendVersion the backend's version id; empty if it keeps no versions
 * @param sizeBytes the size of the object, not of the unit
 * @param number counted from 0
 */
public record Unit(
    ObjectName object, String etag, String backendVersion, long sizeBytes, int number) {
  /** The length of every unit but the last. */
  public static final long BYTES = 8L << 20;

  private static final int BLOCK_BITS = 12;
  private static final int HASH_BITS = 63 - BLOCK_BITS;
  private static final long HASH_MASK = (1L << HASH_BITS) - 1;

  /** The size of the blocks in which an id counts the length of its file. */
  private static final int BLOCK_BYTES = 4096;

  private static final long BLOCKS_MASK = (1L << BLOCK_BITS) - 1;

  /** In place of the number of blocks; no file of a whole unit has so many. */
  private static final long SPARSE_BLOCKS = BLOCKS_MASK;

  public Unit {
    requireNonNull(object, "object is null");
    requireNonNull(etag, "etag is null");
    requireNonNull(backendVersion, "backendVersion is null");
    if (number < 0 || begin(number) >= sizeBytes) {
      throw new IllegalArgumentException(
          object + " has " + sizeBytes + " bytes, so it has no unit " + number);
    }
  }

  /** The number of the unit that holds the byte at this offset of an object. */
  public static int numberAt(long offset) {
    return Math.toIntExact(offset / BYTES);
  }

  /** How many units an object of this size has. */
  public static int count(long sizeBytes) {
    return sizeBytes == 0 ? 0 : numberAt(sizeBytes - 1) + 1;
  }

  private static long begin(int number) {
    return number * BYTES;
  }

  /** The offset of the unit in the object. */
  public long begin() {
    return begin(number);
  }

  /** The number of bytes in the unit. */
  public long length() {
    return Math.min(BYTES, sizeBytes - begin());
  }

  /** The bytes that the file of this id, which has the whole unit, takes on the disk. */
  public static int fileBytes(long id) {
    return (int) ((id >>> HASH_BITS) & BLOCKS_MASK) * BLOCK_BYTES;
  }

  /**
   * The id of the unit's file: negative, in contrast to that of an extent. It is made of the length
   * of the file in blocks (12 bits) and a hash of the name (51 bits), so two units may have the
   * same id.
   *
   * @param fileBytes the length of the file
   */
  public long id(long fileBytes) {
    return idOf((fileBytes + BLOCK_BYTES - 1) / BLOCK_BYTES);
  }

  /** The id of the file that has only some pages of the unit. */
  public long sparseId() {
    return idOf(SPARSE_BLOCKS);
  }

  /** Whether the file of this id has only some pages of its unit. */
  public static boolean isSparse(long id) {
    return id < 0 && ((id >>> HASH_BITS) & BLOCKS_MASK) == SPARSE_BLOCKS;
  }

  private long idOf(long blocks) {
    long hash = object.key().xxh64(object.bucket().value());
    hash = Xxh64.of((etag + '\0' + backendVersion).getBytes(UTF_8), hash);
    byte[] numbers = ByteBuffer.allocate(12).putLong(sizeBytes).putInt(number).array();
    return Long.MIN_VALUE | blocks << HASH_BITS | (Xxh64.of(numbers, hash) & HASH_MASK);
  }

  @Override
  public String toString() {
    return "unit " + number + " of " + object;
  }
}
