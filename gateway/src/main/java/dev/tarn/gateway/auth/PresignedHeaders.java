package dev.tarn.gateway.auth;

import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.QueryParameters.Parameter;
import dev.tarn.gateway.request.RequestHead;
import java.util.Locale;
import java.util.Set;

/**
 * The headers that a signer may move into the query of a presigned URL, where the signature covers
 * them. These are all {@code x-amz-*} headers, and for version 2 also Content-MD5 and Content-Type.
 */
public final class PresignedHeaders {
  private static final String PREFIX = "x-amz-";

  /** These parameters belong to the signature; they are not moved headers. */
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
   * Adds the moved headers to the head's headers. A header that was sent takes precedence. Returns
   * the same head if there are no such parameters, or if the query has no signature. Signatures are
   * verified against the head as it was sent.
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
