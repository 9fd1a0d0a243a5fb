/** Operations on objects: read, write, copy, delete, tags, attributes. */
@NullMarked
package dev.tarn.gateway.s3.object;

import org.jspecify.annotations.NullMarked;
