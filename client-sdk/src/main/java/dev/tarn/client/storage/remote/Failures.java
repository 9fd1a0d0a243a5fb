package dev.tarn.client.storage.remote;

import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/** Where the AWS SDK's failures become ours. */
final class Failures {
  private Failures() {}

  static StorageException translate(StorageUrl url, String action, SdkException e) {
    if (e instanceof AwsServiceException service && service.awsErrorDetails() != null) {
      return new StorageException(
          Answer.kind(service.statusCode()),
          url,
          "%s: %s: %s (HTTP status %d)"
              .formatted(
                  action,
                  service.awsErrorDetails().errorCode(),
                  service.awsErrorDetails().errorMessage(),
                  service.statusCode()),
          e);
    }
    if (e.getCause() instanceof IOException cause) {
      return new StorageException(
          Kind.UNAVAILABLE, url, "%s: no answer: %s".formatted(action, reason(cause)), e);
    }
    // The SDK has no class for this, and its message lists every place that it looked into.
    if (String.valueOf(e.getMessage()).startsWith("Unable to load credentials")) {
      return noCredentials(url, e);
    }
    return new StorageException(Kind.FAILED, url, action + ": " + e.getMessage(), e);
  }

  static StorageException noCredentials(StorageUrl url, SdkException e) {
    return new StorageException(
        Kind.DENIED,
        url,
        "no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or AWS_PROFILE,"
            + " or read a public bucket anonymously",
        e);
  }

  /** A failure of the network in words. */
  static String reason(IOException e) {
    if (e instanceof SocketTimeoutException) {
      return "timed out";
    }
    if (e instanceof UnknownHostException) {
      return "unknown host " + e.getMessage();
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }
}
