/** Compressing shards block by block, so that they can be entered between the blocks. */
@NullMarked
package dev.tarn.sharder.compress;

import org.jspecify.annotations.NullMarked;
