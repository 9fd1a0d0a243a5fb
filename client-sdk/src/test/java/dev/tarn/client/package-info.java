@NullMarked
package dev.tarn.client;

import org.jspecify.annotations.NullMarked;
