@NullMarked
package dev.tarn.cluster.target.memory;

import org.jspecify.annotations.NullMarked;
