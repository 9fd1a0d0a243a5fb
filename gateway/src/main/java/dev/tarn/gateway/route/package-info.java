/** From a request to the target that owns its key: routing over the map, and calls over HTTP. */
@NullMarked
package dev.tarn.gateway.route;

import org.jspecify.annotations.NullMarked;
