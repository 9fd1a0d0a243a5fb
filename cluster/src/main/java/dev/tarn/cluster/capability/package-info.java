/** Capabilities: the proof that a member of the same cluster granted a call. */
@NullMarked
package dev.tarn.cluster.capability;

import org.jspecify.annotations.NullMarked;
