@NullMarked
package dev.tarn.client.decode;

import org.jspecify.annotations.NullMarked;
