/**
 * The other S3 that a bucket caches. {@link dev.tarn.targetnode.backend.Backend} is what the cache
 * needs of it: plain blocking calls for virtual threads. The AWS SDK's types do not leave this
 * package.
 */
@NullMarked
package dev.tarn.targetnode.backend;

import org.jspecify.annotations.NullMarked;
