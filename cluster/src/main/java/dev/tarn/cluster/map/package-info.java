/** The cluster map and the placement of objects on its members. */
@NullMarked
package dev.tarn.cluster.map;

import org.jspecify.annotations.NullMarked;
