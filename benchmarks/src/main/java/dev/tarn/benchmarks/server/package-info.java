/** The servers under load, each a process of its own: Tarn and nginx. */
@NullMarked
package dev.tarn.benchmarks.server;

import org.jspecify.annotations.NullMarked;
