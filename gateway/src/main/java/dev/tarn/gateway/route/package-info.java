/** From a request to the target that owns its key: routes by the map and relays copies. */
@NullMarked
package dev.tarn.gateway.route;

import org.jspecify.annotations.NullMarked;
