/** What an epoch spends its time and memory on: {@link dev.tarn.client.metrics.EpochListener}. */
@NullMarked
package dev.tarn.client.metrics;

import org.jspecify.annotations.NullMarked;
