/** The gateway as its clients see it. */
@NullMarked
package dev.tarn.gateway;

import org.jspecify.annotations.NullMarked;
