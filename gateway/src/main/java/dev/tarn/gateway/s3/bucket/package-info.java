/** Operations on buckets and their configuration. */
@NullMarked
package dev.tarn.gateway.s3.bucket;

import org.jspecify.annotations.NullMarked;
