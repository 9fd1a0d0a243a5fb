/** Tests of what a disk keeps. */
@NullMarked
package dev.tarn.targetnode.store.record;

import org.jspecify.annotations.NullMarked;
