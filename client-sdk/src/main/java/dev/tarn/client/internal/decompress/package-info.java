/**
 * Decompressors of shards beyond gzip, bound to libraries.
 *
 * <p>Internal to the SDK: it may change with any release.
 */
@NullMarked
package dev.tarn.client.internal.decompress;

import org.jspecify.annotations.NullMarked;
