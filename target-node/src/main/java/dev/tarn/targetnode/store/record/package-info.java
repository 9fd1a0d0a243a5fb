/** The content of the log: its entries, and the encoding of entries and objects. */
@NullMarked
package dev.tarn.targetnode.store.record;

import org.jspecify.annotations.NullMarked;
