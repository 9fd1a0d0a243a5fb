/** The client's side of the admin API. */
@NullMarked
package dev.tarn.standalone.admin;

import org.jspecify.annotations.NullMarked;
