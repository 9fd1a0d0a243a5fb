@NullMarked
package dev.tarn.gateway.console;

import org.jspecify.annotations.NullMarked;
