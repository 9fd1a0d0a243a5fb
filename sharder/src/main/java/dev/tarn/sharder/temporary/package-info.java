/** Files that are gone with the process that made them. */
@NullMarked
package dev.tarn.sharder.temporary;

import org.jspecify.annotations.NullMarked;
