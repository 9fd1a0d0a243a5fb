/** The benchmarks by name, each beside its yardstick. */
@NullMarked
package dev.tarn.benchmarks.suite;

import org.jspecify.annotations.NullMarked;
