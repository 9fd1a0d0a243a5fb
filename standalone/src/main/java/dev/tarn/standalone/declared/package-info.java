/** Declared users, keys, backends and buckets, and the reconciler that creates them. */
@NullMarked
package dev.tarn.standalone.declared;

import org.jspecify.annotations.NullMarked;
