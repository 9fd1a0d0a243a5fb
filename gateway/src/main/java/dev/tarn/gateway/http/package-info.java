/**
 * HTTP as S3 needs it: the listener, its bounds, the flow of bodies in both directions, and the way
 * an answer is written. It knows nothing of S3's operations.
 */
@NullMarked
package dev.tarn.gateway.http;

import org.jspecify.annotations.NullMarked;
