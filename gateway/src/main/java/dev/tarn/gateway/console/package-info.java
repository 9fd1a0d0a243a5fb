/**
 * The console: a web page on the admin listener, and the way of its requests to the S3 listener.
 */
@NullMarked
package dev.tarn.gateway.console;

import org.jspecify.annotations.NullMarked;
