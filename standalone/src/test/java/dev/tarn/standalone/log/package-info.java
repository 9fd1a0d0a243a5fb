@NullMarked
package dev.tarn.standalone.log;

import org.jspecify.annotations.NullMarked;
