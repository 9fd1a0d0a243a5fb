@NullMarked
package dev.tarn.client.internal.index;

import org.jspecify.annotations.NullMarked;
