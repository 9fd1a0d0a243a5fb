/**
 * What lies between the samples that are read and their consumer: stages that pass items on, each
 * with the numbers that it stands for, so that a checkpoint can say exactly what was received.
 */
@NullMarked
package dev.tarn.client.loader;

import org.jspecify.annotations.NullMarked;
