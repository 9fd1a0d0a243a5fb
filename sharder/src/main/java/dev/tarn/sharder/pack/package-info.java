/** Packing: a plan is executed, shard by shard, by many workers at once. */
@NullMarked
package dev.tarn.sharder.pack;

import org.jspecify.annotations.NullMarked;
