@NullMarked
package dev.tarn.client.cache;

import org.jspecify.annotations.NullMarked;
