package dev.tarn.gateway.s3.object;

import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.HttpDates;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.QueryParameters;
import dev.tarn.gateway.request.QueryParameters.Parameter;
import dev.tarn.gateway.s3.operation.HeaderText;
import dev.tarn.gateway.s3.operation.Numbers;
import dev.tarn.gateway.s3.operation.S3Request;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The parameters of a read: the selected bytes, the preconditions and the overridden headers. */
public final class ReadParameters {
  private static final String OVERRIDE_PREFIX = "response-";
  private static final List<String> OVERRIDABLE =
      List.of(
          "cache-control",
          "content-disposition",
          "content-encoding",
          "content-language",
          "content-type",
          "expires");

  private ReadParameters() {}

  /** The names of the headers with preconditions. */
  public enum Conditions {
    OF_READ(""),
    OF_COPY_SOURCE("x-amz-copy-source-");

    private final String ifMatch;
    private final String ifNoneMatch;
    private final String ifModifiedSince;
    private final String ifUnmodifiedSince;

    Conditions(String prefix) {
      ifMatch = prefix + "if-match";
      ifNoneMatch = prefix + "if-none-match";
      ifModifiedSince = prefix + "if-modified-since";
      ifUnmodifiedSince = prefix + "if-unmodified-since";
    }
  }

  /** The bytes that a read selects. */
  public static Selection selection(S3Request request) {
    String range = request.header("range");
    String partNumber = request.query("partNumber");
    if (partNumber == null) {
      return range == null ? Selection.WHOLE : RangeHeader.parse(range);
    }
    if (range != null) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST,
          "Cannot specify both Range header and partNumber query parameter.");
    }
    return new Selection.Part(Numbers.partNumber(partNumber));
  }

  /** The preconditions of a read or of a copy's source, from the headers with these names. */
  public static Preconditions preconditions(Headers headers, Conditions names) {
    List<String> ifMatch = etags(headers.first(names.ifMatch));
    List<String> ifNoneMatch = etags(headers.first(names.ifNoneMatch));
    OptionalLong modified = date(headers.first(names.ifModifiedSince));
    OptionalLong unmodified = date(headers.first(names.ifUnmodifiedSince));
    if (ifMatch.isEmpty() && ifNoneMatch.isEmpty() && modified.isEmpty() && unmodified.isEmpty()) {
      return Preconditions.NONE;
    }
    return new Preconditions(ifMatch, ifNoneMatch, modified, unmodified);
  }

  /**
   * The precondition of the If-Range header: under which condition the range belongs to the object
   * that the client has. Null if the request has no If-Range or no range. Other preconditions are
   * not included.
   */
  static @Nullable Preconditions ofRange(Headers headers, Selection selection) {
    String header = headers.first("if-range");
    boolean range = selection instanceof Selection.Range || selection instanceof Selection.Suffix;
    if (header == null || header.isBlank() || !range) {
      return null;
    }
    OptionalLong date = HttpDates.parse(header);
    if (date.isPresent()) {
      return new Preconditions(List.of(), List.of(), OptionalLong.empty(), date);
    }
    // A weak ETag does not guarantee identical bytes, so it never matches the object.
    String etag = header.strip().startsWith("W/") ? header : unquoted(header);
    return new Preconditions(List.of(etag), List.of(), OptionalLong.empty(), OptionalLong.empty());
  }

  /**
   * The headers that the query overrides, by lower-case name. Only signed requests may override
   * headers.
   *
   * @throws S3Exception InvalidRequest for an anonymous request, InvalidArgument
   */
  public static Map<String, String> overrides(S3Request request) {
    if (!overridesAny(request.head().query())) {
      return Map.of();
    }
    Map<String, String> overrides = new LinkedHashMap<>();
    for (String name : OVERRIDABLE) {
      String value = request.query(OVERRIDE_PREFIX + name);
      if (value != null) {
        overrides.put(name, HeaderText.requireValue(OVERRIDE_PREFIX + name, value));
      }
    }
    if (!overrides.isEmpty() && request.user() == null) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST,
          "Request specific response headers cannot be used for anonymous requests.");
    }
    return overrides;
  }

  private static boolean overridesAny(QueryParameters query) {
    for (Parameter parameter : query.list()) {
      if (parameter.name().startsWith(OVERRIDE_PREFIX)) {
        return true;
      }
    }
    return false;
  }

  /** The ETags of a precondition, without quotes; empty if there is no precondition. */
  static List<String> etags(@Nullable String header) {
    if (header == null || header.isBlank()) {
      return List.of();
    }
    List<String> etags = new ArrayList<>(1);
    for (String etag : header.split(",", -1)) {
      etags.add(unquoted(etag));
    }
    return etags;
  }

  /** An ETag without its quotes and without the mark of a weak ETag. */
  public static String unquoted(String etag) {
    String text = etag.strip();
    if (text.startsWith("W/")) {
      text = text.substring(2);
    }
    return text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")
        ? text.substring(1, text.length() - 1)
        : text;
  }

  private static OptionalLong date(@Nullable String header) {
    return header == null ? OptionalLong.empty() : HttpDates.parse(header);
  }
}
