/** The meaning of labels: the classes that they number. */
@NullMarked
package dev.tarn.sharder.label;

import org.jspecify.annotations.NullMarked;
