/** The control plane of one node: the state machine over a small fsynced log and its snapshots. */
@NullMarked
package dev.tarn.cluster.control.local;

import org.jspecify.annotations.NullMarked;
