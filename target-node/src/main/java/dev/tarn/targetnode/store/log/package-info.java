/** The log: append-only segments of checksummed records, the truth from which all else follows. */
@NullMarked
package dev.tarn.targetnode.store.log;

import org.jspecify.annotations.NullMarked;
