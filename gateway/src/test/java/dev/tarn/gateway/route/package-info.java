@NullMarked
package dev.tarn.gateway.route;

import org.jspecify.annotations.NullMarked;
