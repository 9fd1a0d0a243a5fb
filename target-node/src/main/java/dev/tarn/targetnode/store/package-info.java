/** The store of one disk: a log, extents and an index, and the code that keeps them consistent. */
@NullMarked
package dev.tarn.targetnode.store;

import org.jspecify.annotations.NullMarked;
