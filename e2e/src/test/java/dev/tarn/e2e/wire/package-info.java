/** The HTTP binding of the target contract, and the router over several targets. */
@NullMarked
package dev.tarn.e2e.wire;

import org.jspecify.annotations.NullMarked;
