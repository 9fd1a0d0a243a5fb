/**
 * Turns fetched bytes into samples: by tar headers or by a shard's index, in the order of delivery.
 *
 * <p>Internal to the SDK: the classes may change with any release.
 */
@NullMarked
package dev.tarn.client.internal.read;

import org.jspecify.annotations.NullMarked;
