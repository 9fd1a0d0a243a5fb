/** Hashes that are part of a format: no change of a library may change them. */
@NullMarked
package dev.tarn.shard.hash;

import org.jspecify.annotations.NullMarked;
