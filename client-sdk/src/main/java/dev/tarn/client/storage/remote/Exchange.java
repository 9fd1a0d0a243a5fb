package dev.tarn.client.storage.remote;

import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.io.InterruptedIOException;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Sends a request that has no body and waits for the head of its answer. */
interface Exchange {
  /**
   * Sends it, and returns with the head of the answer.
   *
   * @param url what is read, for messages
   * @throws InterruptedIOException if the thread is interrupted meanwhile
   * @throws IllegalStateException if it is closed
   */
  Answer send(StorageUrl url, SdkHttpRequest request) throws IOException;
}
