@NullMarked
package dev.tarn.targetnode.store.extent;

import org.jspecify.annotations.NullMarked;
