/** The options of commands that are S3 clients. */
@NullMarked
package dev.tarn.standalone.s3;

import org.jspecify.annotations.NullMarked;
