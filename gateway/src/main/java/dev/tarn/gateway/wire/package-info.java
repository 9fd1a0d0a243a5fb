/** The only place that touches Netty and Vert.x internals: buffers and files without a copy. */
@NullMarked
package dev.tarn.gateway.wire;

import org.jspecify.annotations.NullMarked;
