/** Bucket policies: documents that define the permissions for a bucket and its objects. */
@NullMarked
package dev.tarn.gateway.policy;

import org.jspecify.annotations.NullMarked;
