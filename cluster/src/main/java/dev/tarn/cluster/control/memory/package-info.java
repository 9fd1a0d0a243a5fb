/** The control plane without a disk: for tests and for state that need not last. */
@NullMarked
package dev.tarn.cluster.control.memory;

import org.jspecify.annotations.NullMarked;
