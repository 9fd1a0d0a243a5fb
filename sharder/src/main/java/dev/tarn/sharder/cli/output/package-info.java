/** The output of commands: results, progress and messages, as text or as JSON. */
@NullMarked
package dev.tarn.sharder.cli.output;

import org.jspecify.annotations.NullMarked;
