@NullMarked
package dev.tarn.gateway.auth;

import org.jspecify.annotations.NullMarked;
