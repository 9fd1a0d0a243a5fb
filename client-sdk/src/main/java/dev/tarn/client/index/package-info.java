/** The indexes of a dataset's shards: fetched, kept, and searched for keys. */
@NullMarked
package dev.tarn.client.index;

import org.jspecify.annotations.NullMarked;
