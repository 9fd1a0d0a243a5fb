/** Reads that go to the origin of the data while Tarn cannot serve them. */
@NullMarked
package dev.tarn.client.origin;

import org.jspecify.annotations.NullMarked;
