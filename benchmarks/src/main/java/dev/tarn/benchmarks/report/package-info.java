/** Cells with their goals, printed as a table or as JSON lines. */
@NullMarked
package dev.tarn.benchmarks.report;

import org.jspecify.annotations.NullMarked;
