/**
 * Datasets of tar shards, read as samples: {@link dev.tarn.client.ShardDataset} is where to begin.
 */
@NullMarked
package dev.tarn.client;

import org.jspecify.annotations.NullMarked;
