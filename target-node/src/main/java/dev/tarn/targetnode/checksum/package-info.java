/** Checksums that a native library computes faster than Java does. */
@NullMarked
package dev.tarn.targetnode.checksum;

import org.jspecify.annotations.NullMarked;
