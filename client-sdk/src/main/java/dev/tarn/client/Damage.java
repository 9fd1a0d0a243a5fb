package dev.tarn.client;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.StorageUrl;

/**
 * Samples that were skipped because they could not be read.
 *
 * @param shard that holds them
 * @param member name of the damaged member, or key of a sample on which a function failed; empty if
 *     unknown
 * @param offset of the damage, in bytes of the uncompressed shard; in bytes of the stored file if
 *     the bytes could not be fetched
 * @param cause what is wrong
 * @param samples how many were skipped; 1 for the rest of a shard whose number of samples is
 *     unknown
 */
public record Damage(StorageUrl shard, String member, long offset, String cause, long samples) {
  /** Checks the parts. */
  public Damage {
    requireNonNull(shard, "shard is null");
    requireNonNull(member, "member is null");
    requireNonNull(cause, "cause is null");
  }
}
