@NullMarked
package dev.tarn.client.write;

import org.jspecify.annotations.NullMarked;
