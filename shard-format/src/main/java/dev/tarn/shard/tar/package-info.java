/** Tar archives: reading members from a stream or a mapped file, and writing them. */
@NullMarked
package dev.tarn.shard.tar;

import org.jspecify.annotations.NullMarked;
