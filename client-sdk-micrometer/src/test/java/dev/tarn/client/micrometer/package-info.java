@NullMarked
package dev.tarn.client.micrometer;

import org.jspecify.annotations.NullMarked;
