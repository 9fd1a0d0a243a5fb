/** A process's data folder, identity, first admin and ready line. */
@NullMarked
package dev.tarn.standalone.node;

import org.jspecify.annotations.NullMarked;
