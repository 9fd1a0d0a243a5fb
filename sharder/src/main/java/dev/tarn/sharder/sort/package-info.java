/** Sorting of more records than memory holds. */
@NullMarked
package dev.tarn.sharder.sort;

import org.jspecify.annotations.NullMarked;
