/** Differences between two datasets, independent of their shards. */
@NullMarked
package dev.tarn.sharder.diff;

import org.jspecify.annotations.NullMarked;
