/** Tests of the target over local disks. */
@NullMarked
package dev.tarn.targetnode.local;

import org.jspecify.annotations.NullMarked;
