/** What all operations of S3 share: the request that was let in, permissions, documents, errors. */
@NullMarked
package dev.tarn.gateway.s3.operation;

import org.jspecify.annotations.NullMarked;
