/** S3's operations: what a request asks for, whether it may, and what is answered. */
@NullMarked
package dev.tarn.gateway.s3;

import org.jspecify.annotations.NullMarked;
