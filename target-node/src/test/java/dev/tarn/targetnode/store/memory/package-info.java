/** Tests of the store's memory and of the order of its work. */
@NullMarked
package dev.tarn.targetnode.store.memory;

import org.jspecify.annotations.NullMarked;
