/** Tools that the distribution needs besides the programs. */
@NullMarked
package dev.tarn.dist;

import org.jspecify.annotations.NullMarked;
