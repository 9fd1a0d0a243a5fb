/** Functions for server connections that Vert.x does not offer. */
@NullMarked
package dev.tarn.transport.connection;

import org.jspecify.annotations.NullMarked;
