package dev.tarn.targetnode.backend;

import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;

import dev.tarn.targetnode.backend.Backend.BackendObject;
import dev.tarn.targetnode.backend.Backend.ByteSpan;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * The properties of an object that the headers of an answer give. Backends leave out headers that
 * AWS sends; an answer is usable while its object can be told from a later one.
 */
record AnswerHeaders(SdkHttpResponse answer) {
  private static final int PARTIAL_CONTENT = 206;
  private static final Pattern CONTENT_RANGE = Pattern.compile("bytes (\\d+)-(\\d+)/(\\d+)");

  /** The object, whose whole size is known. */
  BackendObject object() {
    return object(
        totalBytes().orElseThrow(() -> new UnusableAnswerException("an object without its size")));
  }

  /** The object, with a size that another answer gave. */
  BackendObject object(long sizeBytes) {
    Optional<String> etag = header("etag");
    long modifiedMs = modifiedMs();
    if (etag.isEmpty() && modifiedMs == 0) {
      throw new UnusableAnswerException("an object with neither ETag nor Last-Modified");
    }
    Validator validator = Validator.of(etag, modifiedMs, sizeBytes);
    return new BackendObject(
        sizeBytes,
        validator.etag(),
        validator.text(),
        version(),
        modifiedMs,
        AttributeMapping.of(answer));
  }

  /** The size of the whole object, also if the answer holds only a range; empty if not given. */
  OptionalLong totalBytes() {
    if (header("content-range").isPresent()) {
      return OptionalLong.of(range().totalBytes());
    }
    OptionalLong length = contentLength();
    boolean isPart = answer.statusCode() == PARTIAL_CONTENT && length.orElse(1) > 0;
    return isPart ? OptionalLong.empty() : length;
  }

  /** The number of parts of a multipart object, if the answer gives it. */
  OptionalLong partCount() {
    return number("x-amz-mp-parts-count");
  }

  /** Whether the answer holds only a range of the object. */
  boolean isRange() {
    return answer.statusCode() == PARTIAL_CONTENT && header("content-range").isPresent();
  }

  /** The bytes of the object that the answer holds. */
  ByteSpan span() {
    return isRange() ? range().span() : new ByteSpan(0, object().sizeBytes());
  }

  private Optional<String> version() {
    return header("x-amz-version-id").filter(id -> !id.isEmpty() && !id.equals("null"));
  }

  /** The time of the object, in milliseconds since 1970; 0 if it is missing or cannot be parsed. */
  long modifiedMs() {
    try {
      return header("last-modified")
          .map(date -> Instant.from(RFC_1123_DATE_TIME.parse(date)).toEpochMilli())
          .map(ms -> Math.max(0, ms))
          .orElse(0L);
    } catch (DateTimeException e) {
      return 0;
    }
  }

  private record Range(ByteSpan span, long totalBytes) {}

  private Range range() {
    String value = header("content-range").orElse("");
    Matcher matcher = CONTENT_RANGE.matcher(value);
    try {
      if (matcher.matches()) {
        long first = Long.parseLong(matcher.group(1));
        long last = Long.parseLong(matcher.group(2));
        long total = Long.parseLong(matcher.group(3));
        if (first <= last && last < total) {
          return new Range(new ByteSpan(first, last - first + 1), total);
        }
      }
    } catch (NumberFormatException e) {
      // More digits than any size has: named below.
    }
    throw new UnusableAnswerException("an invalid Content-Range", value);
  }

  private OptionalLong contentLength() {
    return number("content-length");
  }

  private OptionalLong number(String name) {
    Optional<String> value = header(name);
    if (value.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      long number = Long.parseLong(value.orElseThrow().strip());
      if (number >= 0) {
        return OptionalLong.of(number);
      }
    } catch (NumberFormatException e) {
      // Not a number: named below.
    }
    throw new UnusableAnswerException("an invalid header " + name, value.orElseThrow());
  }

  private Optional<String> header(String name) {
    return answer.firstMatchingHeader(name);
  }
}
