/** What an epoch reads and in which order. */
@NullMarked
package dev.tarn.client.shards;

import org.jspecify.annotations.NullMarked;
