@NullMarked
package dev.tarn.standalone.declared;

import org.jspecify.annotations.NullMarked;
