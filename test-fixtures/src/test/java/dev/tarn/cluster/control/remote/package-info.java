/** A control node in this process, for tests. */
@NullMarked
package dev.tarn.cluster.control.remote;

import org.jspecify.annotations.NullMarked;
