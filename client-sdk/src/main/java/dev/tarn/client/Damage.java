package dev.tarn.client;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.StorageUrl;

/**
 * Samples that were skipped, since they could not be read.
 *
 * @param shard which has them
 * @param member what was being read, or the key of a sample that a function failed on; empty if it
 *     is not known
 * @param offset where the damage lies, in bytes of the uncompressed shard, or of the stored file if
 *     that could not be fetched
 * @param cause what is wrong
 * @param samples how many were skipped; 1 for the rest of a shard of which nobody knows how many it
 *     has
 */
public record Damage(StorageUrl shard, String member, long offset, String cause, long samples) {
  /** Checks the parts. */
  public Damage {
    requireNonNull(shard, "shard is null");
    requireNonNull(member, "member is null");
    requireNonNull(cause, "cause is null");
  }
}
