package dev.tarn.client.internal.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Map;
import javax.net.ssl.SSLException;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Sends a request that has no body and waits for the head of its answer. */
public interface HttpSender {
  /**
   * Sends a request, and returns when the head of its answer has arrived.
   *
   * @throws InterruptedIOException if the thread is interrupted meanwhile
   * @throws IllegalStateException if the sender is closed
   */
  HttpAnswer send(SdkHttpRequest request) throws IOException;

  /** A request without a body and without a signature. */
  static SdkHttpRequest request(SdkHttpMethod method, URI uri, Map<String, String> headers) {
    SdkHttpRequest.Builder request = SdkHttpRequest.builder().method(method).uri(uri);
    headers.forEach(request::putHeader);
    return request.build();
  }

  /** Describes a failure of the network. */
  static String reason(IOException e) {
    if (e instanceof SocketTimeoutException) {
      return "timed out";
    }
    if (e instanceof UnknownHostException) {
      return "unknown host " + e.getMessage();
    }
    if (e instanceof SSLException) {
      return "no TLS connection: " + tlsReason(e);
    }
    return e.getMessage() == null ? "the connection broke" : e.getMessage();
  }

  /** The message of the innermost cause; those around it repeat it with names of Java classes. */
  private static String tlsReason(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage());
  }
}
