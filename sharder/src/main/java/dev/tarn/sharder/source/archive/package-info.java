/** Archives as sources: their members are read in place, and nothing is unpacked. */
@NullMarked
package dev.tarn.sharder.source.archive;

import org.jspecify.annotations.NullMarked;
