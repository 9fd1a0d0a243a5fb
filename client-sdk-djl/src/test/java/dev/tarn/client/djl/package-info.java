@NullMarked
package dev.tarn.client.djl;

import org.jspecify.annotations.NullMarked;
