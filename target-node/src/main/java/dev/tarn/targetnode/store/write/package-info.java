/** Receiving bodies: small ones into memory, large ones into an extent, digests on the way. */
@NullMarked
package dev.tarn.targetnode.store.write;

import org.jspecify.annotations.NullMarked;
