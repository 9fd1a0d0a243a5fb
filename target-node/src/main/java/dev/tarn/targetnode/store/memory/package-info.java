/** Memory for bytes on their way, pooled and bounded. */
@NullMarked
package dev.tarn.targetnode.store.memory;

import org.jspecify.annotations.NullMarked;
