/** Lists as sources: files that a list names, and members whose content is in the list. */
@NullMarked
package dev.tarn.sharder.source.list;

import org.jspecify.annotations.NullMarked;
