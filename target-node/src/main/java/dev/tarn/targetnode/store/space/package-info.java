/** Reclaiming space: compaction of the log, and sweeping of extents that no record names. */
@NullMarked
package dev.tarn.targetnode.store.space;

import org.jspecify.annotations.NullMarked;
