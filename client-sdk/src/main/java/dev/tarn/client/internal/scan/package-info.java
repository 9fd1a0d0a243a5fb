/**
 * Shards read from their beginning to their end, to say what they consist of.
 *
 * <p>Internal to the SDK: it may change with any release.
 */
@NullMarked
package dev.tarn.client.internal.scan;

import org.jspecify.annotations.NullMarked;
