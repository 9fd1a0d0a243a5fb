/** Cells with their goals, as a table for people and as JSON lines for machines. */
@NullMarked
package dev.tarn.benchmarks.report;

import org.jspecify.annotations.NullMarked;
