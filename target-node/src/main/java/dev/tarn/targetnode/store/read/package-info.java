/** Reading objects: from memory, by sendfile or as a stream, whichever is cheapest. */
@NullMarked
package dev.tarn.targetnode.store.read;

import org.jspecify.annotations.NullMarked;
