/** Looking into shards and datasets, and taking out of them. */
@NullMarked
package dev.tarn.sharder.inspect;

import org.jspecify.annotations.NullMarked;
