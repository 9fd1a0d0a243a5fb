/** The bodies that pass through a process: buffers and files without a copy. */
@NullMarked
package dev.tarn.transport.body;

import org.jspecify.annotations.NullMarked;
