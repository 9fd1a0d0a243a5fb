package dev.tarn.gateway.payload;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The trailers after the last chunk. They must be exactly those that the request announced. */
final class Trailers {
  private static final String SIGNATURE = "x-amz-trailer-signature";
  private static final int LINE_COUNT_MAX = 16;

  private final DigestHeaders digests;
  private final Map<String, String> values = new TreeMap<>();
  private String signatureHex = "";
  private DeclaredDigests declared;
  private int lineCount;

  /**
   * Expects the trailers that these headers announce.
   *
   * @param allowed whether the framing allows trailers
   */
  Trailers(DigestHeaders digests, boolean allowed) {
    if (!allowed) {
      digests.requireNoTrailer();
    }
    this.digests = digests;
    this.declared = digests.declared();
  }

  /**
   * Reads a line without its line feed. An empty line is skipped. Some senders end the trailers
   * with one empty line, some with two, and some put one before the signature.
   */
  void add(String line) {
    lineCount++;
    String field = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
    if (lineCount > LINE_COUNT_MAX) {
      throw malformed("it has more than " + LINE_COUNT_MAX + " lines");
    }
    if (field.isEmpty()) {
      return;
    }
    int colon = field.indexOf(':');
    if (colon <= 0) {
      throw malformed("a line is not \"name:value\"");
    }
    String name = trim(field.substring(0, colon)).toLowerCase(Locale.ROOT);
    String value = trim(field.substring(colon + 1));
    boolean again;
    if (name.equals(SIGNATURE)) {
      again = !signatureHex.isEmpty();
      signatureHex = value;
    } else {
      again = values.put(name, value) != null;
    }
    if (again) {
      throw malformed("it has " + name + " twice");
    }
  }

  /** Removes the spaces around the text; other white space is not valid there and stays. */
  private static String trim(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && text.charAt(start) == ' ') {
      start++;
    }
    while (end > start && text.charAt(end - 1) == ' ') {
      end--;
    }
    return text.substring(start, end);
  }

  /** Whether announced trailers are missing, and nothing follows the last chunk. */
  boolean isCut() {
    return lineCount == 0 && !digests.trailers().isEmpty();
  }

  /** Ends the body: verifies the trailers and reads their checksums. */
  void end(ChunkVerifier verifier) {
    StringBuilder canonical = new StringBuilder();
    values.forEach((name, value) -> canonical.append(name).append(':').append(value).append('\n'));
    verifier.endTrailers(canonical.toString(), signatureHex);
    List<ObjectChecksum> checksums = new ArrayList<>(1);
    for (ChecksumAlgorithm algorithm : digests.trailers()) {
      String value = values.remove(algorithm.headerName());
      if (value == null) {
        throw malformed("it lacks the announced " + algorithm.headerName());
      }
      checksums.add(DigestHeaders.checksum(algorithm, value));
    }
    if (!values.isEmpty()) {
      throw malformed("it has what x-amz-trailer did not announce: " + values.keySet());
    }
    declared = digests.with(checksums);
  }

  /** The digests of the headers, and after {@link #end} also those of the trailers. */
  DeclaredDigests declared() {
    return declared;
  }

  private static S3Exception malformed(String what) {
    return S3Exception.of(
        S3ErrorCode.MALFORMED_TRAILER_ERROR, "The trailer of the body is malformed: " + what + ".");
  }
}
