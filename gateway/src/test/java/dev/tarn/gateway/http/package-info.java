/** Answers on their way to the socket. */
@NullMarked
package dev.tarn.gateway.http;

import org.jspecify.annotations.NullMarked;
