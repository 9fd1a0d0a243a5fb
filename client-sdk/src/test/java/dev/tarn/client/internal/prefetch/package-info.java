@NullMarked
package dev.tarn.client.internal.prefetch;

import org.jspecify.annotations.NullMarked;
