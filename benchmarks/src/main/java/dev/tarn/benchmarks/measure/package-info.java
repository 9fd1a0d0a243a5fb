/** Runs rounds alternately, measures the CPU and memory of processes, and takes medians. */
@NullMarked
package dev.tarn.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
