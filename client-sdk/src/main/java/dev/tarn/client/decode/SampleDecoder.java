package dev.tarn.client.decode;

import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decodes members with certain extensions.
 *
 * <p>Found by {@link java.util.ServiceLoader}, or passed to {@link Decoders.Builder#add}; both
 * replace built-in decoders. Several threads call it at once.
 */
public interface SampleDecoder {
  /**
   * The extensions that it decodes, in lower case, without the first dot. {@code png} also applies
   * to {@code seg.png}; {@code seg.png} applies to that extension and those that end in it.
   */
  Set<String> extensions();

  /**
   * Decodes a member. The value should not share memory with the member's bytes.
   *
   * @throws IOException saying what is wrong with the bytes; key, shard and extension are added
   */
  @Nullable Object decode(EncodedMember member) throws IOException;
}
