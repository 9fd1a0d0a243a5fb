/**
 * Tar archives and WebDataset shards: reading, writing, the shard index and the dataset manifest.
 */
@NullMarked
package dev.tarn.shard;

import org.jspecify.annotations.NullMarked;
