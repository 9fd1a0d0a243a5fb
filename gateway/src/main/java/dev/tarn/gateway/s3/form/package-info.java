/** Uploads by HTML forms: decoding, policy, operation. */
@NullMarked
package dev.tarn.gateway.s3.form;

import org.jspecify.annotations.NullMarked;
