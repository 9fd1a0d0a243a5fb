@NullMarked
package dev.tarn.transport.tls;

import org.jspecify.annotations.NullMarked;
