/** The manifest, dataset.json: the content of a dataset. */
@NullMarked
package dev.tarn.shard.manifest;

import org.jspecify.annotations.NullMarked;
