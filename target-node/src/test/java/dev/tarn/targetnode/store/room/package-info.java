@NullMarked
package dev.tarn.targetnode.store.room;

import org.jspecify.annotations.NullMarked;
