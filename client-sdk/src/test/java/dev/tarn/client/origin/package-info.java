@NullMarked
package dev.tarn.client.origin;

import org.jspecify.annotations.NullMarked;
