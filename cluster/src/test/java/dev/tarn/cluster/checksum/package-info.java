@NullMarked
package dev.tarn.cluster.checksum;

import org.jspecify.annotations.NullMarked;
