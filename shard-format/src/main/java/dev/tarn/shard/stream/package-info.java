/** Streams of bytes. */
@NullMarked
package dev.tarn.shard.stream;

import org.jspecify.annotations.NullMarked;
