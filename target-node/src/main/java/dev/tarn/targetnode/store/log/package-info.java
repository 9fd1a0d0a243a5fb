/** The log: append-only segments of checksummed records, from which all other state is derived. */
@NullMarked
package dev.tarn.targetnode.store.log;

import org.jspecify.annotations.NullMarked;
