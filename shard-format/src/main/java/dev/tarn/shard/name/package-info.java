/** The syntax of names: members' names as bytes, and the notation for many shards. */
@NullMarked
package dev.tarn.shard.name;

import org.jspecify.annotations.NullMarked;
