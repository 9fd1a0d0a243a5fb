/** S3's operations: finds the operation of a request, checks its permissions and answers it. */
@NullMarked
package dev.tarn.gateway.s3;

import org.jspecify.annotations.NullMarked;
