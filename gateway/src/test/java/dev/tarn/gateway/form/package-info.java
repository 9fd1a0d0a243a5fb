/** Tests of HTML forms. */
@NullMarked
package dev.tarn.gateway.form;

import org.jspecify.annotations.NullMarked;
