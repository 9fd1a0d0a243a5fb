@NullMarked
package dev.tarn.transport.server;

import org.jspecify.annotations.NullMarked;
