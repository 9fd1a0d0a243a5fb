/**
 * The versioned wire form of requests, outcomes and bodies, which gateway, SDK and targets share.
 */
@NullMarked
package dev.tarn.cluster.wire;

import org.jspecify.annotations.NullMarked;
