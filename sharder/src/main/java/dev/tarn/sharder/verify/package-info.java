/** Verification: shards, indexes and the manifest are read again and compared. */
@NullMarked
package dev.tarn.sharder.verify;

import org.jspecify.annotations.NullMarked;
