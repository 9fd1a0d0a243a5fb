/** The one place of this module that touches internals of Vert.x and Netty. */
@NullMarked
package dev.tarn.targetnode.wire;

import org.jspecify.annotations.NullMarked;
