/** Reading parts of large files, local or remote. */
@NullMarked
package dev.tarn.sharder.source.range;

import org.jspecify.annotations.NullMarked;
