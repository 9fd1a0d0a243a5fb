/** Scrubbing: reading everything at a bounded rate to find bytes that have decayed. */
@NullMarked
package dev.tarn.targetnode.store.scrub;

import org.jspecify.annotations.NullMarked;
