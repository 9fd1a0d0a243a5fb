@NullMarked
package dev.tarn.gateway.payload;

import org.jspecify.annotations.NullMarked;
