/**
 * HTTP as S3 needs it: the listener and its limits, the flow of bodies in both directions, and the
 * writing of answers. This package does not depend on S3's operations.
 */
@NullMarked
package dev.tarn.gateway.http;

import org.jspecify.annotations.NullMarked;
