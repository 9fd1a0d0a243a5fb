@NullMarked
package dev.tarn.standalone.cluster;

import org.jspecify.annotations.NullMarked;
