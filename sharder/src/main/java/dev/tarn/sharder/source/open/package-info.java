/** Opens sources; the name of a source determines its kind. */
@NullMarked
package dev.tarn.sharder.source.open;

import org.jspecify.annotations.NullMarked;
