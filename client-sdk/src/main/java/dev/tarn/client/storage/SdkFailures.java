package dev.tarn.client.storage;

import dev.tarn.client.internal.http.HttpAnswer;
import dev.tarn.client.internal.http.HttpSender;
import dev.tarn.client.storage.StorageException.Kind;
import java.io.IOException;
import java.util.Optional;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/** Translates failures of HTTP and of the AWS SDK into storage exceptions. */
final class SdkFailures {
  private SdkFailures() {}

  /** The failure of an answer whose status is not a success; closes the answer. */
  static StorageException of(StorageUrl url, HttpAnswer answer) {
    int status = answer.status();
    String reason =
        answer
            .errorText()
            .orElseGet(() ->
                kind(status) == Kind.MISSING
                    ? "no such object"
                    : answer.head().statusText().orElse("refused"));
    String what = "%s (HTTP status %d)".formatted(reason, status);
    Optional<String> region = answer.header("x-amz-bucket-region");
    if (status == 301 || (status == 400 && region.isPresent())) {
      String where = region.map(" and use "::concat).orElse("");
      return new StorageException(
          Kind.INVALID, url, what + ": the bucket is in another region: set AWS_REGION" + where);
    }
    return new StorageException(kind(status), url, what);
  }

  static StorageException translate(StorageUrl url, String action, SdkException e) {
    if (e instanceof AwsServiceException service && service.awsErrorDetails() != null) {
      return new StorageException(
          kind(service.statusCode()),
          url,
          "%s: %s: %s (HTTP status %d)"
              .formatted(
                  action,
                  service.awsErrorDetails().errorCode(),
                  service.awsErrorDetails().errorMessage(),
                  service.statusCode()),
          e);
    }
    // The SDK wraps some of them twice.
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException network) {
        return new StorageException(
            Kind.UNAVAILABLE,
            url,
            "%s: no answer: %s".formatted(action, HttpSender.reason(network)),
            e);
      }
    }
    // The SDK has no class for this, and its message lists every place where it looked.
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

  /** The kind of failure for a status that is not a success. */
  private static Kind kind(int status) {
    return switch (status) {
      case 401, 403 -> Kind.DENIED;
      case 404, 410 -> Kind.MISSING;
      case 409, 412 -> Kind.CHANGED;
      case 408, 429, 500, 502, 503, 504 -> Kind.UNAVAILABLE;
      case 507 -> Kind.FULL;
      default -> status >= 400 && status < 500 ? Kind.INVALID : Kind.FAILED;
    };
  }
}
