/** The cached units of a disk, their use, and the choice of units to evict when room is needed. */
@NullMarked
package dev.tarn.targetnode.store.residents;

import org.jspecify.annotations.NullMarked;
