@NullMarked
package dev.tarn.standalone.certificate;

import org.jspecify.annotations.NullMarked;
