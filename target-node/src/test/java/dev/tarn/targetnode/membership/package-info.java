/** Tests of the target over local disks. */
@NullMarked
package dev.tarn.targetnode.membership;

import org.jspecify.annotations.NullMarked;
