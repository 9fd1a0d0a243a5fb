/** Tar archives: members are read from a stream or a mapped file, and written. */
@NullMarked
package dev.tarn.shard.tar;

import org.jspecify.annotations.NullMarked;
