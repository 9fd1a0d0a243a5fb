/**
 * Datasets of tar shards, read as samples: {@link dev.tarn.client.ShardDataset} is where to begin.
 *
 * <p>What users need beside it is in the packages decode, loader, metrics, storage and write below
 * this one; the others are internal to the SDK, say so, and may change with any release.
 */
@NullMarked
package dev.tarn.client;

import org.jspecify.annotations.NullMarked;
