@NullMarked
package dev.tarn.cluster.control;

import org.jspecify.annotations.NullMarked;
