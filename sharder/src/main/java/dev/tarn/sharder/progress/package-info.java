/** How far a long run has come. */
@NullMarked
package dev.tarn.sharder.progress;

import org.jspecify.annotations.NullMarked;
