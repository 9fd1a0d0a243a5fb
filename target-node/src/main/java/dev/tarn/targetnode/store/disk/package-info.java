/** The one seam between the store and its files: a real disk, and in tests a simulated one. */
@NullMarked
package dev.tarn.targetnode.store.disk;

import org.jspecify.annotations.NullMarked;
