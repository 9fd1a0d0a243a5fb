/** The examples of the README, as they are run. */
@NullMarked
package dev.tarn.e2e.examples;

import org.jspecify.annotations.NullMarked;
