/** Datasets as sources: their indexes say what there is, their shards are read by ranges. */
@NullMarked
package dev.tarn.sharder.source.dataset;

import org.jspecify.annotations.NullMarked;
