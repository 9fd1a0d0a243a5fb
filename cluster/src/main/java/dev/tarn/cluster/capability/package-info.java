/** Capabilities: how a target knows that a call was granted by somebody of its own cluster. */
@NullMarked
package dev.tarn.cluster.capability;

import org.jspecify.annotations.NullMarked;
