/** Reads Tarn's JSON files, with messages that name the problem and its place. */
@NullMarked
package dev.tarn.shard.json;

import org.jspecify.annotations.NullMarked;
