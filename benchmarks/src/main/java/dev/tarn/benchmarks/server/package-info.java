/** The servers under load, each a process of its own: ours and nginx. */
@NullMarked
package dev.tarn.benchmarks.server;

import org.jspecify.annotations.NullMarked;
