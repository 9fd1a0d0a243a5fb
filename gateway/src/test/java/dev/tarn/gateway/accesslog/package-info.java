@NullMarked
package dev.tarn.gateway.accesslog;

import org.jspecify.annotations.NullMarked;
