/** The progress of a long run. */
@NullMarked
package dev.tarn.sharder.progress;

import org.jspecify.annotations.NullMarked;
