/** Lifecycle rules, applied to the objects of this node. */
@NullMarked
package dev.tarn.targetnode.lifecycle;

import org.jspecify.annotations.NullMarked;
