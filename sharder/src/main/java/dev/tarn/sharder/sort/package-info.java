/** Sorting of records that do not fit in memory. */
@NullMarked
package dev.tarn.sharder.sort;

import org.jspecify.annotations.NullMarked;
