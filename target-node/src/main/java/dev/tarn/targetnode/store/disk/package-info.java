/** The interface between the store and its files: a real disk, or a simulated one in tests. */
@NullMarked
package dev.tarn.targetnode.store.disk;

import org.jspecify.annotations.NullMarked;
