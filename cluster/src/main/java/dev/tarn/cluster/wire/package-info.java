/** The versioned encoding of requests, outcomes and bodies, shared by gateway, SDK and targets. */
@NullMarked
package dev.tarn.cluster.wire;

import org.jspecify.annotations.NullMarked;
