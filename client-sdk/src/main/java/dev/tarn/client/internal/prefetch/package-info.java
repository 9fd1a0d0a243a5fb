/**
 * Fetches an epoch's shards ahead of its consumer: several requests at a time, delivered in order,
 * within a bound of bytes.
 *
 * <p>Internal to the SDK: the classes may change with any release.
 */
@NullMarked
package dev.tarn.client.internal.prefetch;

import org.jspecify.annotations.NullMarked;
