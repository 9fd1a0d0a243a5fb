/**
 * Reads shards from beginning to end to describe their contents.
 *
 * <p>Internal to the SDK: the classes may change with any release.
 */
@NullMarked
package dev.tarn.client.internal.scan;

import org.jspecify.annotations.NullMarked;
