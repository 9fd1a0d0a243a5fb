/** The rules of WebDataset, which group the members of a shard into samples. */
@NullMarked
package dev.tarn.shard.sample;

import org.jspecify.annotations.NullMarked;
