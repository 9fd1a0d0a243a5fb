/** Archives as sources: their members are read where they lie, and nothing is unpacked. */
@NullMarked
package dev.tarn.sharder.source.archive;

import org.jspecify.annotations.NullMarked;
