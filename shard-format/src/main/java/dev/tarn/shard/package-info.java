/** Common parts of shard readers and writers: errors, temporary files, hashes and a small cache. */
@NullMarked
package dev.tarn.shard;

import org.jspecify.annotations.NullMarked;
