/** A map of bounded size. */
@NullMarked
package dev.tarn.shard.lru;

import org.jspecify.annotations.NullMarked;
