/** The options that determine which samples a pack has, and their order. */
@NullMarked
package dev.tarn.sharder.plan.option;

import org.jspecify.annotations.NullMarked;
