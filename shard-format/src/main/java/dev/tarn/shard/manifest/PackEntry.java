package dev.tarn.shard.manifest;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One run that made shards of a dataset: the first, or one that appended to it.
 *
 * @param encoder the encoder's name and version; another may give other bytes for the same samples
 * @param options what it was packed with: together with the samples and the shards before, all that
 *     its shards' bytes depend on; by name, in the names' order
 * @param shards how many it made; they follow those of the packs before
 */
public record PackEntry(String encoder, SortedMap<String, String> options, long shards) {
  public PackEntry {
    requireNonNull(encoder, "encoder is null");
    options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
    if (shards < 0) {
      throw new IllegalArgumentException("a pack made " + shards + " shards");
    }
  }
}
