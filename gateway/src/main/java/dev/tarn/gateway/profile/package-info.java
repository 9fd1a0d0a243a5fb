/**
 * What this gateway's requests were over the last day: counts, bytes, times and sizes by bucket. It
 * is kept in memory of a fixed size.
 */
@NullMarked
package dev.tarn.gateway.profile;

import org.jspecify.annotations.NullMarked;
