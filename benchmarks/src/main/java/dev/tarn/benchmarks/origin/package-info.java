/**
 * A synthetic S3, as the origin of a cached bucket: its bytes are computed, its speed is chosen.
 */
@NullMarked
package dev.tarn.benchmarks.origin;

import org.jspecify.annotations.NullMarked;
