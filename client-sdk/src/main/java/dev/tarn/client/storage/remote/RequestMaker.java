package dev.tarn.client.storage.remote;

import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import java.util.Map;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Turns the wish for an object into a request that its server accepts: addressed, signed. */
interface RequestMaker {
  /**
   * A request without body.
   *
   * @throws StorageException if the URL or the settings do not make one
   */
  SdkHttpRequest make(SdkHttpMethod method, StorageUrl url, Map<String, String> headers)
      throws StorageException;
}
