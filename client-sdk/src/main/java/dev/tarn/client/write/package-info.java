/** Writes datasets sample by sample: {@link dev.tarn.client.write.ShardWriter}. */
@NullMarked
package dev.tarn.client.write;

import org.jspecify.annotations.NullMarked;
