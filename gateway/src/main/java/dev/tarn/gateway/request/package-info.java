/** A request's head, parsed once, and what it addresses. */
@NullMarked
package dev.tarn.gateway.request;

import org.jspecify.annotations.NullMarked;
