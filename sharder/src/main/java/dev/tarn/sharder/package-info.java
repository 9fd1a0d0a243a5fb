/** Repacks many small files into WebDataset tar shards. */
@NullMarked
package dev.tarn.sharder;

import org.jspecify.annotations.NullMarked;
