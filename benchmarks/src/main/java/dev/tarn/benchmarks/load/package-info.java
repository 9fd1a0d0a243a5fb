/** Loads: requests that are signed beforehand, and the clients that send them. */
@NullMarked
package dev.tarn.benchmarks.load;

import org.jspecify.annotations.NullMarked;
