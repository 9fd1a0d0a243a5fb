/** Tests of the target node. */
@NullMarked
package dev.tarn.targetnode;

import org.jspecify.annotations.NullMarked;
