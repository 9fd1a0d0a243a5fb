/**
 * Access to objects by URL: local files, http(s), S3, memory.
 *
 * <p>{@link dev.tarn.client.storage.Storage} is the abstraction; {@code Storage.open()} opens every
 * scheme with the settings that aws-cli would use. All calls block, and any number of threads may
 * make them at once, platform or virtual. The caller brings the threads; the storage brings
 * connections, retries and limits.
 */
@NullMarked
package dev.tarn.client.storage;

import org.jspecify.annotations.NullMarked;
