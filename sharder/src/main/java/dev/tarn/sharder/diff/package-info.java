/** What two datasets differ in, whatever their shards. */
@NullMarked
package dev.tarn.sharder.diff;

import org.jspecify.annotations.NullMarked;
