/** Parsers under random inputs: what makes the inputs, and what is demanded of every parser. */
@NullMarked
package dev.tarn.gateway.fuzz;

import org.jspecify.annotations.NullMarked;
