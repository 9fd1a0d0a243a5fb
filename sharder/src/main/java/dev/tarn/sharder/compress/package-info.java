/** Compressing shards block by block, so that readers can start at each block. */
@NullMarked
package dev.tarn.sharder.compress;

import org.jspecify.annotations.NullMarked;
