/** Datasets as sources: their indexes are listed, and their shards are read by ranges. */
@NullMarked
package dev.tarn.sharder.source.dataset;

import org.jspecify.annotations.NullMarked;
