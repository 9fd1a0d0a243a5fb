/** The load client: requests rendered and signed beforehand, bodies discarded, one thread. */
@NullMarked
package dev.tarn.benchmarks.load;

import org.jspecify.annotations.NullMarked;
