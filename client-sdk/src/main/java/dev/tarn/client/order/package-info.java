/**
 * Which sample comes at which position of an epoch: pure functions of counts, seed and epoch. They
 * are part of what a checkpoint relies on, so they never change.
 *
 * <p>Internal to the SDK: the classes may change with any release.
 */
@NullMarked
package dev.tarn.client.order;

import org.jspecify.annotations.NullMarked;
