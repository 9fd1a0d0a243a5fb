/** Tests of following the control node. */
@NullMarked
package dev.tarn.cluster.control.remote;

import org.jspecify.annotations.NullMarked;
