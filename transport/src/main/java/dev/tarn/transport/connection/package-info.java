/** What servers do with connections beyond what Vert.x offers. */
@NullMarked
package dev.tarn.transport.connection;

import org.jspecify.annotations.NullMarked;
