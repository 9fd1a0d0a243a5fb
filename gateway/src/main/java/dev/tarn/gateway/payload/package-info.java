/** Decodes the bytes of an HTTP body into the bytes of an object, and verifies them. */
@NullMarked
package dev.tarn.gateway.payload;

import org.jspecify.annotations.NullMarked;
