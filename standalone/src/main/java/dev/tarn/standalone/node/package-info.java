/**
 * What makes a process this node: its data folder, its identity, its first user, its ready line.
 */
@NullMarked
package dev.tarn.standalone.node;

import org.jspecify.annotations.NullMarked;
