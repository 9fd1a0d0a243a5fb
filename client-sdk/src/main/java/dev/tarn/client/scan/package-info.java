/** Shards read from their beginning to their end, to say what they consist of. */
@NullMarked
package dev.tarn.client.scan;

import org.jspecify.annotations.NullMarked;
