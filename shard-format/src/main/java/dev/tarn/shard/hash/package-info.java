/** Hashes that are part of a format; a change of a library must not change them. */
@NullMarked
package dev.tarn.shard.hash;

import org.jspecify.annotations.NullMarked;
