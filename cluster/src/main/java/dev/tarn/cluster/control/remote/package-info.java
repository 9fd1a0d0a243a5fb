/** The control plane on another node: how members follow it, and how it answers them. */
@NullMarked
package dev.tarn.cluster.control.remote;

import org.jspecify.annotations.NullMarked;
