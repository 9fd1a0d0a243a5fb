/**
 * The target contract: the calls that a gateway, an SDK or another target makes to an object's
 * owner.
 */
@NullMarked
package dev.tarn.cluster.target;

import org.jspecify.annotations.NullMarked;
