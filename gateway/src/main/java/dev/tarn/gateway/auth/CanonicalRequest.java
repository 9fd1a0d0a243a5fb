package dev.tarn.gateway.auth;

import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.PercentEncoding;
import dev.tarn.gateway.request.QueryParameters.Parameter;
import dev.tarn.gateway.request.RequestHead;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The canonical form of a request that version 4 signs: method, path, query, the signed headers and
 * the hash of the body.
 */
final class CanonicalRequest {
  static final String ESCAPED_SLASH = "%2F";

  private CanonicalRequest() {}

  /** How path and query are encoded. */
  enum Form {
    /** As AWS encodes them: needless escapes are removed and missing ones added. */
    ENCODED_ONCE,
    /** Exactly as sent, for clients that sign their own escapes. */
    AS_SENT,
    /**
     * As AWS encodes them, but with the escaped slashes of the path as slashes. Apache's HTTP
     * client, which the AWS SDK for Java uses, escapes the second of two slashes after the path is
     * signed.
     */
    SLASHES_UNESCAPED
  }

  private record Pair(String name, String value) implements Comparable<Pair> {
    @Override
    public int compareTo(Pair other) {
      int byName = name.compareTo(other.name);
      return byName != 0 ? byName : value.compareTo(other.value);
    }
  }

  static void write(
      CanonicalText text,
      RequestHead head,
      SignatureV4 signature,
      List<String> signedNames,
      String payloadHash,
      Form form) {
    boolean asSent = form == Form.AS_SENT;
    text.add(head.method()).add('\n');
    text.add(path(head.rawPath(), form)).add('\n');
    writeQuery(text, head, asSent);
    text.add('\n');
    for (String name : signedNames) {
      text.add(name).add(':');
      writeValues(text, head.headers(), name);
      text.add('\n');
    }
    text.add('\n').add(signature.signedHeaders()).add('\n').add(payloadHash);
  }

  private static String path(String raw, Form form) {
    return switch (form) {
      case AS_SENT -> raw;
      case ENCODED_ONCE -> PercentEncoding.canonicalPath(raw);
      case SLASHES_UNESCAPED -> PercentEncoding.canonicalPath(raw).replace(ESCAPED_SLASH, "/");
    };
  }

  private static void writeQuery(CanonicalText text, RequestHead head, boolean asSent) {
    if (head.query().isEmpty()) {
      return;
    }
    List<Pair> pairs = new ArrayList<>(head.query().list().size());
    for (Parameter parameter : head.query().list()) {
      if (!parameter.name().equals(PresignedQuery.SIGNATURE)) {
        pairs.add(
            asSent
                ? new Pair(parameter.rawName(), parameter.rawValue())
                : new Pair(
                    PercentEncoding.canonicalQuery(parameter.rawName(), parameter.name()),
                    PercentEncoding.canonicalQuery(parameter.rawValue(), parameter.value())));
      }
    }
    pairs.sort(Comparator.naturalOrder());
    for (int i = 0; i < pairs.size(); i++) {
      if (i > 0) {
        text.add('&');
      }
      text.add(pairs.get(i).name).add('=').add(pairs.get(i).value);
    }
  }

  /**
   * Writes the values of all fields with this name, separated by commas; nothing if there is none.
   */
  private static void writeValues(CanonicalText text, Headers headers, String name) {
    boolean first = true;
    for (int i = 0; i < headers.size(); i++) {
      if (headers.nameAt(i).equals(name)) {
        if (!first) {
          text.add(',');
        }
        text.addTrimmed(headers.valueAt(i));
        first = false;
      }
    }
  }
}
