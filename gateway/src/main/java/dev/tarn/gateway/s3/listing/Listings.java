package dev.tarn.gateway.s3.listing;

import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.xml.XmlWriter;

/** The answers to listings. */
public final class Listings {
  /** {@code partial} in an answer that may miss the keys of targets that are out. */
  static final String HEADER = "x-tarn-listing";

  private Listings() {}

  /**
   * The answer with this document.
   *
   * @param isPartial whether keys of targets that are out may be missing
   */
  public static Response response(XmlWriter document, boolean isPartial) {
    Response response = Response.of(200).xml(document.bytes());
    return isPartial ? response.header(HEADER, "partial") : response;
  }
}
