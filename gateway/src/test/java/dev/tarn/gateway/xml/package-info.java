@NullMarked
package dev.tarn.gateway.xml;

import org.jspecify.annotations.NullMarked;
