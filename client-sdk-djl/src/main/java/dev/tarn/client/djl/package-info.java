/**
 * Datasets of shards for the Deep Java Library: {@link dev.tarn.client.djl.ShardBatches} is where
 * to begin.
 */
@NullMarked
package dev.tarn.client.djl;

import org.jspecify.annotations.NullMarked;
