/**
 * What lies between the samples that are read and their consumer: stages that pass items on, each
 * with the numbers that it stands for, so that a checkpoint can say exactly what was received.
 *
 * <p>Internal to the SDK: it may change with any release.
 */
@NullMarked
package dev.tarn.client.internal.stage;

import org.jspecify.annotations.NullMarked;
