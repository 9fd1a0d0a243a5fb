/** What the store is held against: the least work that gives the same guarantee. */
@NullMarked
package dev.tarn.benchmarks.yardstick;

import org.jspecify.annotations.NullMarked;
