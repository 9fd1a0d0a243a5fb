/** Yardsticks in this process: the least work that gives the same guarantee as Tarn. */
@NullMarked
package dev.tarn.benchmarks.yardstick;

import org.jspecify.annotations.NullMarked;
