/** Tests of the index. */
@NullMarked
package dev.tarn.targetnode.store.index;

import org.jspecify.annotations.NullMarked;
