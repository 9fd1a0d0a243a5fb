/** The cluster's certificate authority, and the files of keys and certificates. */
@NullMarked
package dev.tarn.standalone.certificate;

import org.jspecify.annotations.NullMarked;
