@NullMarked
package dev.tarn.client.internal.cache;

import org.jspecify.annotations.NullMarked;
