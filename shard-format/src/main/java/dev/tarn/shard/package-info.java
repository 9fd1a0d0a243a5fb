/** The shard format: types that its subpackages share. */
@NullMarked
package dev.tarn.shard;

import org.jspecify.annotations.NullMarked;
