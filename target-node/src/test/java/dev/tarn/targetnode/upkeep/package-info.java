@NullMarked
package dev.tarn.targetnode.upkeep;

import org.jspecify.annotations.NullMarked;
