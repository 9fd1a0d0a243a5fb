/** Measures of an epoch's time and memory: {@link dev.tarn.client.metrics.EpochListener}. */
@NullMarked
package dev.tarn.client.metrics;

import org.jspecify.annotations.NullMarked;
