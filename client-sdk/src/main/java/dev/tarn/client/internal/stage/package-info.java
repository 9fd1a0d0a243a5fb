/**
 * The stages between the samples that are read and their consumer. Items carry the numbers of their
 * samples, so that a checkpoint can say exactly what was received.
 *
 * <p>Internal to the SDK: the classes may change with any release.
 */
@NullMarked
package dev.tarn.client.internal.stage;

import org.jspecify.annotations.NullMarked;
