/**
 * Datasets of tar shards, read as samples. Begin with {@link dev.tarn.client.ShardDataset}.
 *
 * <p>The public packages are this one and decode, loader, metrics, storage and write below it. The
 * packages below {@code internal} are the SDK's own and may change with any release.
 */
@NullMarked
package dev.tarn.client;

import org.jspecify.annotations.NullMarked;
