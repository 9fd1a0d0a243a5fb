/** A whole target in memory: the reference of the contract, and the fake for everybody's tests. */
@NullMarked
package dev.tarn.cluster.target.memory;

import org.jspecify.annotations.NullMarked;
