package dev.tarn.gateway.s3.listing;

import dev.tarn.gateway.request.PercentEncoding;
import dev.tarn.gateway.s3.operation.Numbers;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.xml.XmlWriter;

/** How a listing encodes keys, prefixes and markers. */
public enum ListingText {
  /** Unchanged. */
  VERBATIM,
  /** Percent-encoded, so that XML can carry any key. */
  URL;

  /** The encoding that encoding-type selects. */
  public static ListingText of(S3Request request) {
    String type = request.query("encoding-type");
    if (type == null) {
      return VERBATIM;
    }
    if (type.equalsIgnoreCase("url")) {
      return URL;
    }
    throw Numbers.invalid(
        "encoding-type", type, "Invalid Encoding Method specified in Request; it must be url.");
  }

  /** The text in this encoding. */
  public String of(String text) {
    return this == URL ? PercentEncoding.encodePath(text) : text;
  }

  /** Writes the elements of a listing that say how its keys are grouped and encoded. */
  public void writeForm(XmlWriter xml, String delimiter) {
    if (!delimiter.isEmpty()) {
      xml.element("Delimiter", of(delimiter));
    }
    if (this == URL) {
      xml.element("EncodingType", "url");
    }
  }

  /** Writes the prefix of a group of keys. */
  public void writeCommonPrefix(XmlWriter xml, String prefix) {
    xml.open("CommonPrefixes").element("Prefix", of(prefix)).close("CommonPrefixes");
  }
}
