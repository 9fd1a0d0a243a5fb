/** A target's view of the cluster, and whether the target is a member. */
@NullMarked
package dev.tarn.targetnode.membership;

import org.jspecify.annotations.NullMarked;
