@NullMarked
package dev.tarn.gateway.request;

import org.jspecify.annotations.NullMarked;
