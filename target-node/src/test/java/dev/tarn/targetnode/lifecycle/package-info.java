/** Tests of lifecycle rules. */
@NullMarked
package dev.tarn.targetnode.lifecycle;

import org.jspecify.annotations.NullMarked;
