/** A map of limited size. */
@NullMarked
package dev.tarn.shard.lru;

import org.jspecify.annotations.NullMarked;
