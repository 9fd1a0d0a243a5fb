/**
 * Buckets that cache another S3: read-through in units, write-through, freshness. Everything here
 * runs on virtual threads in plain blocking style; the store keeps the bytes, the backend is asked
 * for what is not there.
 */
@NullMarked
package dev.tarn.targetnode.cache;

import org.jspecify.annotations.NullMarked;
