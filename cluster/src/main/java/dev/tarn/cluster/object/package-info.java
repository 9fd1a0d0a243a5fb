/** What an object is: its name, version, metadata and checksums. */
@NullMarked
package dev.tarn.cluster.object;

import org.jspecify.annotations.NullMarked;
