@NullMarked
package dev.tarn.cluster.map;

import org.jspecify.annotations.NullMarked;
