/**
 * What an epoch reads and in which order.
 *
 * <p>Internal to the SDK: it may change with any release.
 */
@NullMarked
package dev.tarn.client.internal.shards;

import org.jspecify.annotations.NullMarked;
