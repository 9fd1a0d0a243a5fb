/**
 * Decodes the members of samples by their extensions, like WebDataset's decoders, but never runs
 * code from the data.
 */
@NullMarked
package dev.tarn.client.decode;

import org.jspecify.annotations.NullMarked;
