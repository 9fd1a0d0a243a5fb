/** Cross-origin resource sharing: which web pages may use a bucket from a browser. */
@NullMarked
package dev.tarn.gateway.cors;

import org.jspecify.annotations.NullMarked;
