/** Objects: their names, versions, metadata and checksums. */
@NullMarked
package dev.tarn.cluster.object;

import org.jspecify.annotations.NullMarked;
