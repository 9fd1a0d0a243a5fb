/** How the process logs. */
@NullMarked
package dev.tarn.standalone.log;

import org.jspecify.annotations.NullMarked;
