/** The rules of WebDataset: which members of a shard make up which sample. */
@NullMarked
package dev.tarn.shard.sample;

import org.jspecify.annotations.NullMarked;
