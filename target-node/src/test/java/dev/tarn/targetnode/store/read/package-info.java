/** Bodies made of an object's pieces. */
@NullMarked
package dev.tarn.targetnode.store.read;

import org.jspecify.annotations.NullMarked;
