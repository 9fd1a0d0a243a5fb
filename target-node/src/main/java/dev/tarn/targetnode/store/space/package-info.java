/** Reclaiming space: compaction of the log, and sweeping of extents and units that nothing uses. */
@NullMarked
package dev.tarn.targetnode.store.space;

import org.jspecify.annotations.NullMarked;
