/**
 * What the SDK keeps on this machine's disk, in a folder of its own.
 *
 * <p>Internal to the SDK: it may change with any release.
 */
@NullMarked
package dev.tarn.client.internal.cache;

import org.jspecify.annotations.NullMarked;
