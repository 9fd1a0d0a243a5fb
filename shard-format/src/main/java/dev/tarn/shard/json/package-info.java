/** JSON files of ours, read with messages that say what is wrong where. */
@NullMarked
package dev.tarn.shard.json;

import org.jspecify.annotations.NullMarked;
