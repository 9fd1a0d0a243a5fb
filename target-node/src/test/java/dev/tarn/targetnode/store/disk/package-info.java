/** A simulated disk. */
@NullMarked
package dev.tarn.targetnode.store.disk;

import org.jspecify.annotations.NullMarked;
