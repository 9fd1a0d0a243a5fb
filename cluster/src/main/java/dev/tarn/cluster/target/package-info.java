/**
 * The target contract: what a gateway, an SDK or a peer may ask of the node that owns an object.
 */
@NullMarked
package dev.tarn.cluster.target;

import org.jspecify.annotations.NullMarked;
