/** The shards and datasets that commands read: how users name them, and how they are opened. */
@NullMarked
package dev.tarn.sharder.shard;

import org.jspecify.annotations.NullMarked;
