/** Epochs for Micrometer: {@link dev.tarn.client.micrometer.EpochMeters}. */
@NullMarked
package dev.tarn.client.micrometer;

import org.jspecify.annotations.NullMarked;
