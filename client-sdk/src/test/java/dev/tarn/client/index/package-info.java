@NullMarked
package dev.tarn.client.index;

import org.jspecify.annotations.NullMarked;
