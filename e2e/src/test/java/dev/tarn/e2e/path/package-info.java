/** Which classes a request executes. */
@NullMarked
package dev.tarn.e2e.path;

import org.jspecify.annotations.NullMarked;
