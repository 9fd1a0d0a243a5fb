/**
 * Which cached units a disk has, how they are used, and which of them leave when room is needed.
 */
@NullMarked
package dev.tarn.targetnode.store.residents;

import org.jspecify.annotations.NullMarked;
