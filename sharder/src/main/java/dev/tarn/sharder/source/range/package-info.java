/** Reading parts of large files, whatever a read costs there. */
@NullMarked
package dev.tarn.sharder.source.range;

import org.jspecify.annotations.NullMarked;
