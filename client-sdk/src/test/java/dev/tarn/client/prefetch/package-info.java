@NullMarked
package dev.tarn.client.prefetch;

import org.jspecify.annotations.NullMarked;
