/** The sharder command. */
@NullMarked
package dev.tarn.sharder.cli;

import org.jspecify.annotations.NullMarked;
