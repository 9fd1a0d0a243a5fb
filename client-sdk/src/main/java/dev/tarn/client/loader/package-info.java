/** The functions, orders and last batches of a {@link dev.tarn.client.Loader}. */
@NullMarked
package dev.tarn.client.loader;

import org.jspecify.annotations.NullMarked;
