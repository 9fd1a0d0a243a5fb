package dev.tarn.shard.sample;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One sample: what WebDataset calls a dictionary of {@code __key__}, {@code __url__} and bytes by
 * extension.
 *
 * @param key what its members' names share; unique in most datasets, but nothing enforces that
 * @param url the shard that it comes from
 * @param members the bytes by extension, in the order of the shard; take {@link #bytes} or a
 *     duplicate, since reading moves a buffer's position
 */
public record Sample(String key, String url, Map<String, ByteBuffer> members) {
  public Sample {
    requireNonNull(key, "key is null");
    requireNonNull(url, "url is null");
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }

  /**
   * A copy of one member's bytes.
   *
   * @throws IllegalArgumentException if the sample has no such member
   */
  public byte[] bytes(String extension) {
    ByteBuffer member = members.get(extension);
    if (member == null) {
      throw new IllegalArgumentException(
          "sample " + key + " has no " + extension + ", only " + members.keySet());
    }
    byte[] bytes = new byte[member.remaining()];
    member.get(member.position(), bytes);
    return bytes;
  }

  /** How many bytes its members have together. */
  public long size() {
    long size = 0;
    for (ByteBuffer member : members.values()) {
      size += member.remaining();
    }
    return size;
  }
}
