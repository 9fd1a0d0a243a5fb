/**
 * Sets up a cluster: puts targets into the cluster map, and runs a whole cluster on this machine.
 */
@NullMarked
package dev.tarn.standalone.cluster;

import org.jspecify.annotations.NullMarked;
