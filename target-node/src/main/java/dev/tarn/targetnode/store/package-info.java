/** The store of one disk: a log, extents and an index, and what keeps them true to each other. */
@NullMarked
package dev.tarn.targetnode.store;

import org.jspecify.annotations.NullMarked;
