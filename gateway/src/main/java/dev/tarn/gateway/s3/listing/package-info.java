/** Listings of keys and versions. */
@NullMarked
package dev.tarn.gateway.s3.listing;

import org.jspecify.annotations.NullMarked;
