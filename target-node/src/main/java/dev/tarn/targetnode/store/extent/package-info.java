/** Extents: files that hold the bytes of large objects and of parts. */
@NullMarked
package dev.tarn.targetnode.store.extent;

import org.jspecify.annotations.NullMarked;
