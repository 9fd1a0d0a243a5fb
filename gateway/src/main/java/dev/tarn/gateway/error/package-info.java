/** The errors that S3 clients see, and the mapping from failures of the target. */
@NullMarked
package dev.tarn.gateway.error;

import org.jspecify.annotations.NullMarked;
