/** The Java S3 clients that people use, each through the same day. */
@NullMarked
package dev.tarn.e2e.clients;

import org.jspecify.annotations.NullMarked;
