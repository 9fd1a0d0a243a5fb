/** Decompressors of shards beyond gzip, bound to libraries. */
@NullMarked
package dev.tarn.client.decompress;

import org.jspecify.annotations.NullMarked;
