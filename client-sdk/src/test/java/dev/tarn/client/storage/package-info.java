@NullMarked
package dev.tarn.client.storage;

import org.jspecify.annotations.NullMarked;
