/** Files of bytes: extents, for large objects and parts, and units, for large cached objects. */
@NullMarked
package dev.tarn.targetnode.store.extent;

import org.jspecify.annotations.NullMarked;
