/** What the labels of samples mean: the classes that they number. */
@NullMarked
package dev.tarn.sharder.label;

import org.jspecify.annotations.NullMarked;
