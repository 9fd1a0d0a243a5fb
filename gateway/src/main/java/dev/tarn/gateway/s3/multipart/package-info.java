/** Multipart uploads. */
@NullMarked
package dev.tarn.gateway.s3.multipart;

import org.jspecify.annotations.NullMarked;
