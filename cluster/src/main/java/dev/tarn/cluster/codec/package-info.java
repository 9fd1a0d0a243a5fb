/**
 * The one form of everything that Tarn sends between processes or keeps on disk: messages of tagged
 * fields, which readers of other releases can skip.
 */
@NullMarked
package dev.tarn.cluster.codec;

import org.jspecify.annotations.NullMarked;
