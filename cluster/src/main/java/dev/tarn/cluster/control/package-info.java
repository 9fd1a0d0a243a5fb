/**
 * The control plane: buckets, users and keys as a deterministic state machine behind one interface.
 */
@NullMarked
package dev.tarn.cluster.control;

import org.jspecify.annotations.NullMarked;
