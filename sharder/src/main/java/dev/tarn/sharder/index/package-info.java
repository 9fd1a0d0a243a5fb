/** Shards that were made elsewhere get what ours have: an index, and a manifest. */
@NullMarked
package dev.tarn.sharder.index;

import org.jspecify.annotations.NullMarked;
