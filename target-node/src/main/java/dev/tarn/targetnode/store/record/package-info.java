/** What the log says: its entries, and how they and objects are written as bytes. */
@NullMarked
package dev.tarn.targetnode.store.record;

import org.jspecify.annotations.NullMarked;
