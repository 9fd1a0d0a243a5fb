/** A JSON line per request, without secrets. */
@NullMarked
package dev.tarn.gateway.accesslog;

import org.jspecify.annotations.NullMarked;
