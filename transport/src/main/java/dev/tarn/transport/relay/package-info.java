/** Calls to targets in other processes, over kept connections. */
@NullMarked
package dev.tarn.transport.relay;

import org.jspecify.annotations.NullMarked;
