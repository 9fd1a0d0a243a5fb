/** Iterates the samples of a sharded dataset from JVM programs. */
@NullMarked
package dev.tarn.client;

import org.jspecify.annotations.NullMarked;
