@NullMarked
package dev.tarn.client.internal.read;

import org.jspecify.annotations.NullMarked;
