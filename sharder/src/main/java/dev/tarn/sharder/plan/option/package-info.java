/** The options that decide what a pack holds, and in which order. */
@NullMarked
package dev.tarn.sharder.plan.option;

import org.jspecify.annotations.NullMarked;
