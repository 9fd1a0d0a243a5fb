package dev.tarn.client.internal.read;

import dev.tarn.client.internal.stage.RetainedMemory;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One sample as it was read from a shard: the bytes of its members and the memory that holds them.
 * A skipped sample has no members.
 */
public final class ReadSample {
  private final String key;
  private final String url;
  private final long offset;
  private final long placement;
  private final String[] extensions;
  private final ByteBuffer[] data;
  private final RetainedMemory memory;

  /**
   * Makes a sample.
   *
   * @param url of its shard, without secrets
   * @param offset of its first member's data, in bytes of the uncompressed shard
   * @param placement of its first header, in bytes of all uncompressed shards together
   * @param extensions of its members
   * @param data of its members, in the same order
   * @param memory which holds the data
   */
  public ReadSample(
      String key,
      String url,
      long offset,
      long placement,
      List<String> extensions,
      List<ByteBuffer> data,
      RetainedMemory memory) {
    this.key = key;
    this.url = url;
    this.offset = offset;
    this.placement = placement;
    this.extensions = extensions.toArray(String[]::new);
    this.data = data.toArray(ByteBuffer[]::new);
    this.memory = memory;
    if (memory instanceof SampleMemory ofChunks) {
      ofChunks.isSeenBy(this.data);
    }
  }

  /** A mark in the place of a sample that is skipped. */
  public static ReadSample skipped(long placement) {
    return new ReadSample("", "", 0, placement, List.of(), List.of(), RetainedMemory.NOTHING);
  }

  /** Whether this is a mark only. */
  public boolean isSkipped() {
    return extensions.length == 0;
  }

  /** The key that the names of its members share. */
  public String key() {
    return key;
  }

  /** The shard's URL, without secrets. */
  public String url() {
    return url;
  }

  /** The offset of its first member's data, in bytes of the uncompressed shard. */
  public long offset() {
    return offset;
  }

  /** The offset of its first header, in bytes of all uncompressed shards together. */
  public long placement() {
    return placement;
  }

  /** The extensions of its members, in the order of the shard. */
  public List<String> extensions() {
    return List.of(extensions);
  }

  /** The bytes of the member with this extension; null if there is none. */
  public @Nullable ByteBuffer find(String extension) {
    for (int i = 0; i < extensions.length; i++) {
      if (extensions[i].equals(extension)) {
        return data[i];
      }
    }
    return null;
  }

  /** The length of all members together, in bytes. */
  public long size() {
    long size = 0;
    for (ByteBuffer member : data) {
      size += member.remaining();
    }
    return size;
  }

  /** The memory that holds the members' bytes. */
  public RetainedMemory memory() {
    return memory;
  }

  /** Releases the memory of a sample that nobody receives. */
  void release() {
    memory.release();
  }
}
