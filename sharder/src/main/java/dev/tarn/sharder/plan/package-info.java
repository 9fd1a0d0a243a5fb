/** The plan of a dataset: which samples go into which shard, in which order, decided first. */
@NullMarked
package dev.tarn.sharder.plan;

import org.jspecify.annotations.NullMarked;
