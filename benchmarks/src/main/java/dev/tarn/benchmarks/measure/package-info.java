/** How rounds are run and what a round is worth: CPU of a process, alternation, medians. */
@NullMarked
package dev.tarn.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
