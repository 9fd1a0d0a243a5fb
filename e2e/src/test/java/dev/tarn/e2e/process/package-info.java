/** Tarn as a user starts it: a process of its own. */
@NullMarked
package dev.tarn.e2e.process;

import org.jspecify.annotations.NullMarked;
