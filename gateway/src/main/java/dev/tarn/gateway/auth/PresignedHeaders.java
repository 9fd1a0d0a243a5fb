package dev.tarn.gateway.auth;

import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.QueryParameters.Parameter;
import dev.tarn.gateway.request.RequestHead;
import java.util.Locale;
import java.util.Set;

/**
 * The headers that signers move into the query of a presigned URL, where the signature covers them:
 * all of {@code x-amz-*} under both versions, and what version 2 signs beside them.
 */
public final class PresignedHeaders {
  private static final String PREFIX = "x-amz-";

  /** These sign the request; none of them is a header that was moved. */
  private static final Set<String> SIGNING =
      Set.of(
          "x-amz-algorithm",
          "x-amz-content-sha256",
          "x-amz-credential",
          "x-amz-date",
          "x-amz-expires",
          "x-amz-security-token",
          "x-amz-signature",
          "x-amz-signedheaders");

  private static final Set<String> OF_VERSION_2 = Set.of("content-md5", "content-type");

  private PresignedHeaders() {}

  /**
   * The head with such parameters as headers, where no header of that name was sent; the same head
   * if there are none, or no signature in the query. Signatures are judged by the head as it was
   * sent.
   */
  public static RequestHead apply(RequestHead head) {
    boolean version2 = SignatureV2Verifier.isIn(head.query());
    if (!version2 && !PresignedQuery.isIn(head.query())) {
      return head;
    }
    Headers sent = head.headers();
    Headers.Builder headers = null;
    for (Parameter parameter : head.query().list()) {
      String name = parameter.name().toLowerCase(Locale.ROOT);
      if (isHeader(name, version2) && !sent.contains(name)) {
        headers = headers == null ? sent.toBuilder() : headers;
        headers.add(name, parameter.value());
      }
    }
    if (headers == null) {
      return head;
    }
    return new RequestHead(
        head.method(),
        head.rawPath(),
        head.query(),
        headers.build(),
        head.secure(),
        head.arrival());
  }

  private static boolean isHeader(String name, boolean version2) {
    return (name.startsWith(PREFIX) && !SIGNING.contains(name))
        || (version2 && OF_VERSION_2.contains(name));
  }
}
