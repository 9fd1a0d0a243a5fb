/** The plan of a dataset: it assigns samples to shards, in order, before anything is packed. */
@NullMarked
package dev.tarn.sharder.plan;

import org.jspecify.annotations.NullMarked;
