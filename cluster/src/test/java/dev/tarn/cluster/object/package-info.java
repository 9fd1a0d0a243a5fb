@NullMarked
package dev.tarn.cluster.object;

import org.jspecify.annotations.NullMarked;
