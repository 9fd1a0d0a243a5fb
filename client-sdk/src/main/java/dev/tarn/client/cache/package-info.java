/** What the SDK keeps on this machine's disk, in a folder of its own. */
@NullMarked
package dev.tarn.client.cache;

import org.jspecify.annotations.NullMarked;
