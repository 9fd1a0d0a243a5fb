/** The shard format: what its subpackages share. */
@NullMarked
package dev.tarn.shard;

import org.jspecify.annotations.NullMarked;
