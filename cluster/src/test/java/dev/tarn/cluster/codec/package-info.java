/** Tests of the codec kit. */
@NullMarked
package dev.tarn.cluster.codec;

import org.jspecify.annotations.NullMarked;
