/** The contract suite: every target, whatever keeps its bytes and carries its calls, passes it. */
@NullMarked
package dev.tarn.cluster.target;

import org.jspecify.annotations.NullMarked;
