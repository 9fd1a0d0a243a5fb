/**
 * Datasets of shards for the Deep Java Library; begin with {@link
 * dev.tarn.client.djl.ShardBatches}.
 */
@NullMarked
package dev.tarn.client.djl;

import org.jspecify.annotations.NullMarked;
