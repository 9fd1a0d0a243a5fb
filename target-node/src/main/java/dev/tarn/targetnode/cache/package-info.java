/**
 * Buckets that cache another S3: read-through in units, write-through, freshness. Everything here
 * runs on virtual threads in plain blocking style. The store keeps the bytes; missing bytes come
 * from the backend.
 */
@NullMarked
package dev.tarn.targetnode.cache;

import org.jspecify.annotations.NullMarked;
