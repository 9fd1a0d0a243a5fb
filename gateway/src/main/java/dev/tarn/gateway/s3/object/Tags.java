package dev.tarn.gateway.s3.object;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.PercentEncoding;
import dev.tarn.gateway.request.QueryParameters;
import dev.tarn.gateway.request.QueryParameters.Parameter;
import dev.tarn.gateway.s3.operation.Documents;
import dev.tarn.gateway.s3.operation.Numbers;
import dev.tarn.gateway.xml.XmlElement;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The tags of objects and buckets, in a header and in documents. */
public final class Tags {
  private static final int OBJECT_COUNT_MAX = 10;
  private static final int BUCKET_COUNT_MAX = 50;
  private static final int KEY_LENGTH_MAX = 128;
  private static final int VALUE_LENGTH_MAX = 256;
  private static final String RESERVED_PREFIX = "aws:";
  private static final String HEADER = "x-amz-tagging";

  /** The symbols that tags may have, besides letters, digits and white space of any script. */
  private static final String SYMBOLS = "+ - = . _ : / @";

  private Tags() {}

  /** Parses the x-amz-tagging header, which has the form of a query. */
  static Map<String, String> ofHeader(Headers headers) {
    String header = headers.first(HEADER);
    if (header == null || header.isEmpty()) {
      return Map.of();
    }
    Map<String, String> tags = new LinkedHashMap<>();
    for (Parameter tag : QueryParameters.parse(ObjectHeaders.wire(header)).list()) {
      if (tags.containsKey(tag.name()) || !isOfTags(tag.name()) || !isOfTags(tag.value())) {
        throw Numbers.invalid(
            HEADER,
            header,
            "The header '"
                + HEADER
                + "' shall be encoded as UTF-8 then URLEncoded URL query parameters without tag"
                + " name duplicates; tags may have letters, digits, spaces and "
                + SYMBOLS
                + ".");
      }
      add(tags, tag.name(), tag.value());
    }
    return checked("Object", tags, OBJECT_COUNT_MAX);
  }

  /** Writes the x-amz-tagging header. */
  public static String header(Map<String, String> tags) {
    return tags.entrySet().stream()
        .map(tag ->
            PercentEncoding.encode(tag.getKey()) + "=" + PercentEncoding.encode(tag.getValue()))
        .collect(Collectors.joining("&"));
  }

  /** Parses the tags of an object from a Tagging document. */
  public static Map<String, String> ofObject(byte[] document) {
    return checked("Object", ofDocument(document), OBJECT_COUNT_MAX);
  }

  /** Parses the tags of a bucket from a Tagging document. */
  public static Map<String, String> ofBucket(byte[] document) {
    return checked("Bucket", ofDocument(document), BUCKET_COUNT_MAX);
  }

  /** Parses the tags of a bucket from an element that contains them. */
  public static Map<String, String> ofBucket(XmlElement set) {
    return checked("Bucket", ofElement(set), BUCKET_COUNT_MAX);
  }

  private static Map<String, String> ofDocument(byte[] document) {
    return ofElement(
        Documents.parse(document, "Tagging")
            .child("TagSet")
            .orElseThrow(() -> Documents.malformed("Tagging has no TagSet.")));
  }

  private static Map<String, String> ofElement(XmlElement set) {
    Map<String, String> tags = new LinkedHashMap<>();
    for (XmlElement tag : set.children("Tag")) {
      String key =
          tag.childVerbatim("Key").orElseThrow(() -> Documents.malformed("A Tag has no Key."));
      String value =
          tag.childVerbatim("Value").orElseThrow(() -> Documents.malformed("A Tag has no Value."));
      add(tags, key, value);
    }
    return tags;
  }

  /** Writes the Tagging document. */
  public static byte[] document(Map<String, String> tags) {
    XmlWriter xml = XmlWriter.document("Tagging", 512).open("TagSet");
    new TreeMap<>(tags)
        .forEach((key, value) ->
            xml.open("Tag").element("Key", key).element("Value", value).close("Tag"));
    return xml.close("TagSet").close("Tagging").bytes();
  }

  private static void add(Map<String, String> tags, String key, String value) {
    if (key.isEmpty() || key.length() > KEY_LENGTH_MAX || value.length() > VALUE_LENGTH_MAX) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_TAG,
          "A tag's key must have 1 to "
              + KEY_LENGTH_MAX
              + " characters, its value at most "
              + VALUE_LENGTH_MAX
              + ".");
    }
    if (!isOfTags(key) || !isOfTags(value)) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_TAG,
          "A tag may have letters, digits, spaces and "
              + SYMBOLS
              + "; this one has others: "
              + key
              + "="
              + value);
    }
    if (key.startsWith(RESERVED_PREFIX)) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_TAG,
          "System tags cannot be added/updated by requester: " + key + ".");
    }
    if (tags.put(key, value) != null) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_TAG, "Cannot provide multiple Tags with the same key: " + key + ".");
    }
  }

  private static boolean isOfTags(String text) {
    return text.codePoints()
        .allMatch(character ->
            Character.isLetterOrDigit(character)
                || isMark(Character.getType(character))
                || Character.isSpaceChar(character)
                || SYMBOLS.indexOf(character) >= 0);
  }

  /** Marks complete the letters of many scripts. */
  private static boolean isMark(int type) {
    return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
  }

  private static Map<String, String> checked(String whose, Map<String, String> tags, int countMax) {
    if (tags.size() > countMax) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_TAG, whose + " tags cannot be greater than " + countMax + ".");
    }
    return tags;
  }
}
