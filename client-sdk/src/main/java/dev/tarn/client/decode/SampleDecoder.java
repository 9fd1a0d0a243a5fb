package dev.tarn.client.decode;

import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes values of members of some extensions.
 *
 * <p>Found through {@link java.util.ServiceLoader}, or given to {@link Decoders.Builder#add}; both
 * replace the decoders that are built in. Called by any number of threads at once.
 */
public interface SampleDecoder {
  /**
   * The extensions whose members it decodes, in lower case, without first dot: {@code png} is for
   * {@code seg.png} too, {@code seg.png} for that one and those that end in it.
   */
  Set<String> extensions();

  /**
   * The value of a member; it may keep nothing of its bytes but copies, unless its users know.
   *
   * @throws IOException saying what is wrong with the bytes; key, shard and extension are added
   */
  @Nullable Object decode(EncodedMember member) throws IOException;
}
