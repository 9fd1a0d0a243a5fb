/** The metrics of S3 requests and of the cluster view. */
@NullMarked
package dev.tarn.gateway.metrics;

import org.jspecify.annotations.NullMarked;
