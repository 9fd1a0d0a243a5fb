@NullMarked
package dev.tarn.transport.body;

import org.jspecify.annotations.NullMarked;
