/** Setting up a cluster: its members, and a whole one on this machine. */
@NullMarked
package dev.tarn.standalone.cluster;

import org.jspecify.annotations.NullMarked;
