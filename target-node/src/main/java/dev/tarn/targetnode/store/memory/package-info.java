/** Memory for bytes in transit, pooled and bounded. */
@NullMarked
package dev.tarn.targetnode.store.memory;

import org.jspecify.annotations.NullMarked;
