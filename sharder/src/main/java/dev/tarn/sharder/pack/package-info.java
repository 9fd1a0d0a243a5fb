/** Packing: many workers execute a plan, shard by shard. */
@NullMarked
package dev.tarn.sharder.pack;

import org.jspecify.annotations.NullMarked;
