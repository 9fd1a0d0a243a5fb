/** Gateway and target node in one process. */
@NullMarked
package dev.tarn.standalone;

import org.jspecify.annotations.NullMarked;
