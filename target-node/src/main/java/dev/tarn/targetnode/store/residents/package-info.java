/** What a disk has cached, how it is used, and the choice of what leaves when room is needed. */
@NullMarked
package dev.tarn.targetnode.store.residents;

import org.jspecify.annotations.NullMarked;
