/** From the bytes of an HTTP body to the bytes of an object, verified on the way. */
@NullMarked
package dev.tarn.gateway.payload;

import org.jspecify.annotations.NullMarked;
