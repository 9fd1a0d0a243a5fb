/** Programs that use the SDK; they run in the build. */
@NullMarked
package dev.tarn.examples;

import org.jspecify.annotations.NullMarked;
