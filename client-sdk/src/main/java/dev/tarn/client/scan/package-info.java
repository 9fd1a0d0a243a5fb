/**
 * Reads shards from beginning to end to describe their contents: their samples, checksums and
 * index. For tools that check or index shards.
 */
@NullMarked
package dev.tarn.client.scan;

import org.jspecify.annotations.NullMarked;
