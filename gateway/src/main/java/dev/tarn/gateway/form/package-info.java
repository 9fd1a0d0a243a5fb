/** Uploads by HTML forms: multipart/form-data, and the policies that sign them. */
@NullMarked
package dev.tarn.gateway.form;

import org.jspecify.annotations.NullMarked;
