/** What operations read out of requests. */
@NullMarked
package dev.tarn.gateway.s3;

import org.jspecify.annotations.NullMarked;
