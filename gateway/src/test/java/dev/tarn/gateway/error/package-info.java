@NullMarked
package dev.tarn.gateway.error;

import org.jspecify.annotations.NullMarked;
