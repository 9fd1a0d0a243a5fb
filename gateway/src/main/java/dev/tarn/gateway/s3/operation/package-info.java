/** Common parts of all S3 operations: the authorized request, permissions, documents and errors. */
@NullMarked
package dev.tarn.gateway.s3.operation;

import org.jspecify.annotations.NullMarked;
