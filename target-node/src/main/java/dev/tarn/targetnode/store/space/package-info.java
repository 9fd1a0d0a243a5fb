/** Getting room back: compaction of the log, and sweeping of what nothing names any more. */
@NullMarked
package dev.tarn.targetnode.store.space;

import org.jspecify.annotations.NullMarked;
