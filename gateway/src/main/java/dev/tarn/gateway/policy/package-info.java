/** Bucket policies: documents that say who may do what with a bucket and its objects. */
@NullMarked
package dev.tarn.gateway.policy;

import org.jspecify.annotations.NullMarked;
