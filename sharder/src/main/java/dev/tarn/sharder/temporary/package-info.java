/** Files that are deleted when the process that made them ends. */
@NullMarked
package dev.tarn.sharder.temporary;

import org.jspecify.annotations.NullMarked;
