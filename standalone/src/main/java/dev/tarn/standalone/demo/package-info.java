/**
 * {@code tarn demo}: uploads many small files as objects, packs them into shards, and times an
 * epoch of each.
 */
@NullMarked
package dev.tarn.standalone.demo;

import org.jspecify.annotations.NullMarked;
