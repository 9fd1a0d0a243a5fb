@NullMarked
package dev.tarn.transport.relay;

import org.jspecify.annotations.NullMarked;
