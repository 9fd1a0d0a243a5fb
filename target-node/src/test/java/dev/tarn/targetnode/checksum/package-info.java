@NullMarked
package dev.tarn.targetnode.checksum;

import org.jspecify.annotations.NullMarked;
