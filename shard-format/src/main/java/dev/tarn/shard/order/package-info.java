/**
 * Orders of an epoch: which sample comes at which position, and which positions a rank reads.
 *
 * <p>All of them are pure functions of sample counts, seed and epoch; nothing here reads or waits.
 * Checkpoints rely on these functions, so their results never change. Datasets, not users, call
 * them: the classes may change with any release.
 */
@NullMarked
package dev.tarn.shard.order;

import org.jspecify.annotations.NullMarked;
