/** Background jobs of a node, which run in bounded steps. */
@NullMarked
package dev.tarn.targetnode.upkeep;

import org.jspecify.annotations.NullMarked;
