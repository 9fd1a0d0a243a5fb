package dev.tarn.gateway.s3.listing;

import dev.tarn.gateway.request.PercentEncoding;
import dev.tarn.gateway.s3.operation.Numbers;
import dev.tarn.gateway.s3.operation.S3Request;

/** How keys, prefixes and markers are written in a listing. */
public enum ListingText {
  /** As they are. */
  VERBATIM,
  /** Percent-encoded, so that any key survives XML. */
  URL;

  /** What encoding-type asks for. */
  public static ListingText of(S3Request request) {
    String type = request.query("encoding-type", "");
    if (type.isEmpty()) {
      return VERBATIM;
    }
    if (type.equalsIgnoreCase("url")) {
      return URL;
    }
    throw Numbers.invalid(
        "encoding-type", type, "Invalid Encoding Method specified in Request; it must be url.");
  }

  /** The text as the listing shows it. */
  public String of(String text) {
    return this == URL ? url(text) : text;
  }

  /** The text percent-encoded, but for its slashes. */
  public static String url(String text) {
    return PercentEncoding.encode(text).replace("%2F", "/");
  }
}
