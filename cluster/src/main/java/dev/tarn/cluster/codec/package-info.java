/**
 * The one encoding of requests, outcomes, control state, log entries and index entries: messages of
 * tagged fields. Readers skip optional fields that they do not know.
 */
@NullMarked
package dev.tarn.cluster.codec;

import org.jspecify.annotations.NullMarked;
