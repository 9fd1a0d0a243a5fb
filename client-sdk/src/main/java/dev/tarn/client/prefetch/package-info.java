/**
 * Reads an epoch's shards ahead of its consumer: several requests at a time, delivered in order,
 * within a bound of bytes.
 */
@NullMarked
package dev.tarn.client.prefetch;

import org.jspecify.annotations.NullMarked;
