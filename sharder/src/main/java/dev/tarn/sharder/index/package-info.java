/** Makes indexes and a manifest for shards of other programs. */
@NullMarked
package dev.tarn.sharder.index;

import org.jspecify.annotations.NullMarked;
