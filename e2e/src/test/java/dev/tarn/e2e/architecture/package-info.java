/** Who may import whom. */
@NullMarked
package dev.tarn.e2e.architecture;

import org.jspecify.annotations.NullMarked;
