/** The errors that S3 clients see, and how failures of the target become them. */
@NullMarked
package dev.tarn.gateway.error;

import org.jspecify.annotations.NullMarked;
