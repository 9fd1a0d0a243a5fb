/**
 * The shards of a dataset, as they are known before they are read.
 *
 * <p>Internal to the SDK: the classes may change with any release.
 */
@NullMarked
package dev.tarn.client.internal.shards;

import org.jspecify.annotations.NullMarked;
