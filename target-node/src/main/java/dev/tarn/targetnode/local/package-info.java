/** The target contract, carried out on the disks of this node. */
@NullMarked
package dev.tarn.targetnode.local;

import org.jspecify.annotations.NullMarked;
