/** Verifying: shards, indexes and manifest are read again and compared. */
@NullMarked
package dev.tarn.sharder.verify;

import org.jspecify.annotations.NullMarked;
