/** Options that several commands share. */
@NullMarked
package dev.tarn.sharder.cli.option;

import org.jspecify.annotations.NullMarked;
