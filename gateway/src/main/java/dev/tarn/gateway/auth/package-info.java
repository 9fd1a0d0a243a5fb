/**
 * Authenticates requests: verifies signatures of version 4, and of version 2 in query strings and
 * forms.
 */
@NullMarked
package dev.tarn.gateway.auth;

import org.jspecify.annotations.NullMarked;
