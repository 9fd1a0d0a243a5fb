/** The shards and datasets that commands read: their names, and how they are opened. */
@NullMarked
package dev.tarn.sharder.shard;

import org.jspecify.annotations.NullMarked;
