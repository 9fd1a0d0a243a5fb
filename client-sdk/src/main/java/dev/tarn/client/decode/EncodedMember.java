package dev.tarn.client.decode;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;

/**
 * A member of a sample to be decoded.
 *
 * @param key of the sample
 * @param shard of the sample
 * @param extension of the member, in lower case; without {@code .gz}, which is already decompressed
 * @param data its bytes, from position to limit; valid as long as the sample's views
 */
public record EncodedMember(String key, String shard, String extension, ByteBuffer data) {
  /** Checks the parts. */
  public EncodedMember {
    requireNonNull(key, "key is null");
    requireNonNull(shard, "shard is null");
    requireNonNull(extension, "extension is null");
    requireNonNull(data, "data is null");
  }

  /** A view of the bytes with its own position, from 0, big-endian. */
  @Override
  public ByteBuffer data() {
    return data.slice();
  }
}
