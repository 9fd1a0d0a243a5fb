/** TLS between the members of a cluster. */
@NullMarked
package dev.tarn.transport.tls;

import org.jspecify.annotations.NullMarked;
