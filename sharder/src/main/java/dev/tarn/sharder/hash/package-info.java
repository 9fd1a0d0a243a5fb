/** Hashes that are part of a format: no change of a library may change them. */
@NullMarked
package dev.tarn.sharder.hash;

import org.jspecify.annotations.NullMarked;
