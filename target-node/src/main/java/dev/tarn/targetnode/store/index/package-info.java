/**
 * The index: where the newest record of each key, upload and part is. RocksDB's types do not leave
 * this package.
 */
@NullMarked
package dev.tarn.targetnode.store.index;

import org.jspecify.annotations.NullMarked;
