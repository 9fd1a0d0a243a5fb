/** S3 as a command reaches it that is one of its clients. */
@NullMarked
package dev.tarn.standalone.s3;

import org.jspecify.annotations.NullMarked;
