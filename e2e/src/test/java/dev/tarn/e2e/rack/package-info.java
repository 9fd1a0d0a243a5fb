/** A cluster whose processes die and come back under load. */
@NullMarked
package dev.tarn.e2e.rack;

import org.jspecify.annotations.NullMarked;
