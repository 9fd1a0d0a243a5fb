/** Who sent a request: signatures of version 4 and, in query strings, of version 2. */
@NullMarked
package dev.tarn.gateway.auth;

import org.jspecify.annotations.NullMarked;
