/** Compressed shards, identified by their first bytes. */
@NullMarked
package dev.tarn.shard.compression;

import org.jspecify.annotations.NullMarked;
