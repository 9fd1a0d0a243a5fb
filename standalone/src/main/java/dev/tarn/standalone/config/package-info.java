/**
 * The configuration of a process: one record per component, bound from the file, the environment
 * and the command line.
 */
@NullMarked
package dev.tarn.standalone.config;

import org.jspecify.annotations.NullMarked;
