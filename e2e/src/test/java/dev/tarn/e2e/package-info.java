/** Black-box tests with real clients, and the rules of the architecture. */
@NullMarked
package dev.tarn.e2e;

import org.jspecify.annotations.NullMarked;
