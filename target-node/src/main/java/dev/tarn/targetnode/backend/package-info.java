/**
 * The other S3 that a bucket caches. {@link dev.tarn.targetnode.backend.Backend} says what the
 * cache needs of it, in plain blocking calls for virtual threads; the AWS SDK stays inside this
 * package.
 */
@NullMarked
package dev.tarn.targetnode.backend;

import org.jspecify.annotations.NullMarked;
