/**
 * {@code tarn demo}: many small files become objects, then shards, and an epoch of each is timed.
 */
@NullMarked
package dev.tarn.standalone.demo;

import org.jspecify.annotations.NullMarked;
