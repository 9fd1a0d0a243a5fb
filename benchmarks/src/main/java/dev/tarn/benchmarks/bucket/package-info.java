/** The objects that benchmarks read, the bucket that holds them, and loads of one side. */
@NullMarked
package dev.tarn.benchmarks.bucket;

import org.jspecify.annotations.NullMarked;
