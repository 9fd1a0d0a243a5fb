/** The server side of {@link dev.tarn.cluster.wire.HttpBinding}: calls and direct reads. */
@NullMarked
package dev.tarn.transport.server;

import org.jspecify.annotations.NullMarked;
