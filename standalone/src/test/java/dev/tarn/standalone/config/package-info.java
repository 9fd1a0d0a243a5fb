@NullMarked
package dev.tarn.standalone.config;

import org.jspecify.annotations.NullMarked;
