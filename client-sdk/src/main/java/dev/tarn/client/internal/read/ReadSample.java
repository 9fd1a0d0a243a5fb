package dev.tarn.client.internal.read;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.internal.stage.RetainedMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
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

  /** The bytes of the members; null once the memory is released. */
  private final @Nullable ByteBuffer[] data;

  private final long size;
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
    this.size = data.stream().mapToLong(ByteBuffer::remaining).sum();
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

  /** Whether there is a member with this extension. */
  public boolean has(String extension) {
    return indexOf(extension) >= 0;
  }

  /**
   * The bytes of the member with this extension; null if there is none.
   *
   * @throws IllegalStateException if the memory was released
   */
  public @Nullable ByteBuffer find(String extension) {
    int index = indexOf(extension);
    if (index < 0) {
      return null;
    }
    ByteBuffer member = data[index];
    if (member == null) {
      throw new IllegalStateException(
          "sample %s of %s is no longer valid: the iterator has moved on or is closed; keep a copy()"
              .formatted(key, url));
    }
    return member;
  }

  /** A copy whose bytes stay valid. */
  public ReadSample copy() {
    List<ByteBuffer> copies = new ArrayList<>(extensions.length);
    for (String extension : extensions) {
      ByteBuffer member = requireNonNull(find(extension), extension);
      copies.add(ByteBuffer.allocate(member.remaining()).put(member.duplicate()).flip());
    }
    return new ReadSample(
        key, url, offset, placement, List.of(extensions), copies, RetainedMemory.NOTHING);
  }

  private int indexOf(String extension) {
    for (int i = 0; i < extensions.length; i++) {
      if (extensions[i].equals(extension)) {
        return i;
      }
    }
    return -1;
  }

  /** The length of all members together, in bytes. */
  public long size() {
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
