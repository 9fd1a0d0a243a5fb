/** Opens a source of any kind: its name says which. */
@NullMarked
package dev.tarn.sharder.source.open;

import org.jspecify.annotations.NullMarked;
