@NullMarked
package dev.tarn.standalone.node;

import org.jspecify.annotations.NullMarked;
