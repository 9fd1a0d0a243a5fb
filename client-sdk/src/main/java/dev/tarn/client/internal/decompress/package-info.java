/**
 * Decompressors of shards other than gzip, which need libraries.
 *
 * <p>Internal to the SDK: the classes may change with any release.
 */
@NullMarked
package dev.tarn.client.internal.decompress;

import org.jspecify.annotations.NullMarked;
