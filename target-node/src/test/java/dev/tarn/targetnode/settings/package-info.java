@NullMarked
package dev.tarn.targetnode.settings;

import org.jspecify.annotations.NullMarked;
