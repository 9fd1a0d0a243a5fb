@NullMarked
package dev.tarn.client.internal.http;

import org.jspecify.annotations.NullMarked;
