/** Scrubbing: reading everything at a bounded rate to find what has decayed. */
@NullMarked
package dev.tarn.targetnode.store.scrub;

import org.jspecify.annotations.NullMarked;
