/**
 * The indexes of a dataset's shards: fetched, kept, and searched for keys.
 *
 * <p>Internal to the SDK: the classes may change with any release.
 */
@NullMarked
package dev.tarn.client.internal.index;

import org.jspecify.annotations.NullMarked;
