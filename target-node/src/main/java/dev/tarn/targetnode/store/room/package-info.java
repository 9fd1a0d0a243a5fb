/** The room of a disk: who may take it, and who leaves when it is needed. */
@NullMarked
package dev.tarn.targetnode.store.room;

import org.jspecify.annotations.NullMarked;
