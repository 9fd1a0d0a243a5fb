/**
 * Keeps data of the SDK on this machine's disk, in its own folder.
 *
 * <p>Internal to the SDK: the classes may change with any release.
 */
@NullMarked
package dev.tarn.client.internal.cache;

import org.jspecify.annotations.NullMarked;
