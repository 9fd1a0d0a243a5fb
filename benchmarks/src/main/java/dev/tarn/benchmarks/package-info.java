/** Measures Tarn beside its yardsticks. */
@NullMarked
package dev.tarn.benchmarks;

import org.jspecify.annotations.NullMarked;
