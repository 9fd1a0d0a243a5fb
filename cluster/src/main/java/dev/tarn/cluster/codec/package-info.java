/**
 * The one encoding of everything that Tarn sends between processes or stores on disk: messages of
 * tagged fields, which readers of other releases can skip.
 */
@NullMarked
package dev.tarn.cluster.codec;

import org.jspecify.annotations.NullMarked;
