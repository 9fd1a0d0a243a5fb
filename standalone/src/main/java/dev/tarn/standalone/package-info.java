/** A Tarn process in each of its roles: all, control, gateway or target. */
@NullMarked
package dev.tarn.standalone;

import org.jspecify.annotations.NullMarked;
