/** What is counted and measured of S3 requests. */
@NullMarked
package dev.tarn.gateway.metrics;

import org.jspecify.annotations.NullMarked;
