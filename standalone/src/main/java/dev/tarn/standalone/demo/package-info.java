/**
 * {@code tarn demo}: uploads many small files as objects, packs them into shards, and times reads
 * of both.
 */
@NullMarked
package dev.tarn.standalone.demo;

import org.jspecify.annotations.NullMarked;
