/** Tests of the admin listener from within. */
@NullMarked
package dev.tarn.gateway.admin;

import org.jspecify.annotations.NullMarked;
