/**
 * Access to objects named by URL, wherever they are: local files, http(s), S3, memory.
 *
 * <p>{@link dev.tarn.client.storage.Storage} is the one abstraction; {@code Storage.open()} reaches
 * every scheme with the settings that aws-cli would use. Everything here blocks and may be called
 * by many threads at once, platform or virtual: the caller brings the threads, the storage brings
 * connections, retries and limits.
 */
@NullMarked
package dev.tarn.client.storage;

import org.jspecify.annotations.NullMarked;
