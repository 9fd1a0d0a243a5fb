@NullMarked
package dev.tarn.cluster.capability;

import org.jspecify.annotations.NullMarked;
