/** The admin listener: health, metrics, and the API that sets buckets, users and keys. */
@NullMarked
package dev.tarn.gateway.admin;

import org.jspecify.annotations.NullMarked;
