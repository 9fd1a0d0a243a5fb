/** Proofs that what was acknowledged survives: losses of power, kills, damage, faults. */
@NullMarked
package dev.tarn.targetnode.store.crash;

import org.jspecify.annotations.NullMarked;
