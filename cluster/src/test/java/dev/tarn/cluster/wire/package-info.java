@NullMarked
package dev.tarn.cluster.wire;

import org.jspecify.annotations.NullMarked;
