/** The S3 front end. */
@NullMarked
package dev.tarn.gateway;

import org.jspecify.annotations.NullMarked;
