/** Keeps objects on local disks, as the primary copy or as a cache before another S3. */
@NullMarked
package dev.tarn.targetnode;

import org.jspecify.annotations.NullMarked;
