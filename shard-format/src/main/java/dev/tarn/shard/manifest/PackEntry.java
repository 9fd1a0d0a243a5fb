package dev.tarn.shard.manifest;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A run that made shards of a dataset: the first run, or one that appended.
 *
 * @param encoder the encoder's name and version; another may write other bytes for the same samples
 * @param options the options of the run, sorted by name. Only these, the samples and the earlier
 *     shards determine the bytes of its shards
 * @param shards the number of shards that it made; they follow those of earlier packs
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
