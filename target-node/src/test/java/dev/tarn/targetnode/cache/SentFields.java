package dev.tarn.targetnode.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.fixtures.s3.Received;

/** Which fields of a call a request to the backend has, with the values of the tests. */
final class SentFields {
  private SentFields() {}

  static boolean hasVersion(Received request) {
    return BackendDecisionsTest.VERSION.equals(request.query().get("versionId"));
  }

  static boolean hasSource(Received request) {
    return request.header("x-amz-copy-source").contains("backend/data/source");
  }

  static boolean hasAttributes(Received request) {
    return request.header("x-amz-storage-class").equals("STANDARD_IA")
        && request.header("content-language").equals("de")
        && request.header("x-amz-meta-who").equals("me");
  }

  static boolean hasConditions(Received request) {
    return request.header("if-match").equals("\"e1\"")
        && request.header("if-none-match").equals("\"e2\"");
  }

  static boolean namesAPart(Received request) {
    String text = new String(request.body(), UTF_8);
    return text.contains("<PartNumber>1</PartNumber>") && text.contains("<ETag>");
  }
}
