/** What all S3 operations share: the authorized request, permissions, documents and errors. */
@NullMarked
package dev.tarn.gateway.s3.operation;

import org.jspecify.annotations.NullMarked;
