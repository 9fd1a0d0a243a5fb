@NullMarked
package dev.tarn.client.storage.remote;

import org.jspecify.annotations.NullMarked;
