/** Lists as sources: files named one by one, and members that the list itself holds. */
@NullMarked
package dev.tarn.sharder.source.list;

import org.jspecify.annotations.NullMarked;
