@NullMarked
package dev.tarn.standalone;

import org.jspecify.annotations.NullMarked;
