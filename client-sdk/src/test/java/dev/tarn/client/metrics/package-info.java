@NullMarked
package dev.tarn.client.metrics;

import org.jspecify.annotations.NullMarked;
