package dev.tarn.client.decode;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;

/**
 * A member of a sample that is to be decoded.
 *
 * @param key the sample's
 * @param shard where it is from
 * @param extension the member's, in lower case; without {@code .gz}, which is decompressed already
 * @param data its bytes, from position to limit, valid as long as the sample's views are
 */
public record EncodedMember(String key, String shard, String extension, ByteBuffer data) {
  /** Checks the parts. */
  public EncodedMember {
    requireNonNull(key, "key is null");
    requireNonNull(shard, "shard is null");
    requireNonNull(extension, "extension is null");
    requireNonNull(data, "data is null");
  }

  /** A view of the bytes with a position of its own, from 0, big-endian. */
  @Override
  public ByteBuffer data() {
    return data.slice();
  }
}
