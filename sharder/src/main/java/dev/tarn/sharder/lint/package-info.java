/** Findings of what readers of shards interpret differently. */
@NullMarked
package dev.tarn.sharder.lint;

import org.jspecify.annotations.NullMarked;
