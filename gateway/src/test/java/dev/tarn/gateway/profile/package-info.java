@NullMarked
package dev.tarn.gateway.profile;

import org.jspecify.annotations.NullMarked;
