/** The HTTP binding of the target contract: what a node serves on its internal port. */
@NullMarked
package dev.tarn.targetnode.api;

import org.jspecify.annotations.NullMarked;
