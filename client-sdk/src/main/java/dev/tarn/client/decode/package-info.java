/**
 * What members of samples hold, as values: by extension, as WebDataset's decoders do, and nothing
 * that would run code of the data's.
 */
@NullMarked
package dev.tarn.client.decode;

import org.jspecify.annotations.NullMarked;
