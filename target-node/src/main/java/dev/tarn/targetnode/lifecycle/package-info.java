/** Lifecycle rules, carried out on what this node holds. */
@NullMarked
package dev.tarn.targetnode.lifecycle;

import org.jspecify.annotations.NullMarked;
