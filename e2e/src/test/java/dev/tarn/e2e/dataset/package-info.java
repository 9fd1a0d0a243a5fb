/** From small files to a streaming epoch, through S3. */
@NullMarked
package dev.tarn.e2e.dataset;

import org.jspecify.annotations.NullMarked;
