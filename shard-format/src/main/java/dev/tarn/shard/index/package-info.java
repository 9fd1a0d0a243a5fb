/** The binary index of one shard: random access to its samples. */
@NullMarked
package dev.tarn.shard.index;

import org.jspecify.annotations.NullMarked;
