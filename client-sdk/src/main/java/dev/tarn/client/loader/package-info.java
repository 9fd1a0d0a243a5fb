/** How samples go through a {@link dev.tarn.client.Loader}: functions, orders, last batches. */
@NullMarked
package dev.tarn.client.loader;

import org.jspecify.annotations.NullMarked;
