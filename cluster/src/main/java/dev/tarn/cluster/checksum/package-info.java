/** The checksums of S3, streamed, combined and composed. */
@NullMarked
package dev.tarn.cluster.checksum;

import org.jspecify.annotations.NullMarked;
