/** What readers of shards would not read alike. */
@NullMarked
package dev.tarn.sharder.lint;

import org.jspecify.annotations.NullMarked;
