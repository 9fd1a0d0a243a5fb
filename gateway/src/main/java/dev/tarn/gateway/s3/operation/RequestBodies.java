package dev.tarn.gateway.s3.operation;

import dev.tarn.gateway.payload.PayloadDecoders;
import dev.tarn.gateway.request.Headers;

/** Opens the body of a request for reading. */
public final class RequestBodies {
  private static final String CHECKSUM_PREFIX = "x-amz-checksum-";
  private static final String SDK_ALGORITHM = "x-amz-sdk-checksum-algorithm";

  private RequestBodies() {}

  /** Opens the body as an object's bytes. */
  public static DecodedBody ofObject(S3Request request, S3Settings settings) {
    return open(request, request.head().headers(), settings.limits().bodyBytesMax());
  }

  /**
   * Opens the body as a document. The checksum headers of CompleteMultipartUpload describe the
   * object, so the document is not verified with them.
   */
  public static DecodedBody ofDocument(S3Request request, S3Settings settings) {
    Headers headers = request.head().headers();
    return open(
        request,
        request.operation() == S3Operation.COMPLETE_MULTIPART_UPLOAD
            ? withoutChecksums(headers)
            : headers,
        settings.limits().documentBytesMax());
  }

  private static DecodedBody open(S3Request request, Headers headers, long bytesMax) {
    return new DecodedBody(
        request.exchange(),
        PayloadDecoders.open(headers, request.authentication().payload(), bytesMax));
  }

  private static Headers withoutChecksums(Headers headers) {
    Headers.Builder kept = Headers.builder();
    for (int index = 0; index < headers.size(); index++) {
      String name = headers.nameAt(index);
      if (!name.startsWith(CHECKSUM_PREFIX) && !name.equals(SDK_ALGORITHM)) {
        kept.add(name, headers.valueAt(index));
      }
    }
    return kept.build();
  }
}
