/** Inspecting shards and datasets, and unpacking them. */
@NullMarked
package dev.tarn.sharder.inspect;

import org.jspecify.annotations.NullMarked;
