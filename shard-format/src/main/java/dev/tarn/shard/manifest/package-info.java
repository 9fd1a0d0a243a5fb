/** The manifest, dataset.json: what a dataset consists of. */
@NullMarked
package dev.tarn.shard.manifest;

import org.jspecify.annotations.NullMarked;
