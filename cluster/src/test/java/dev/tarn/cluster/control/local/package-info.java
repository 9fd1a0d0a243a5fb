@NullMarked
package dev.tarn.cluster.control.local;

import org.jspecify.annotations.NullMarked;
