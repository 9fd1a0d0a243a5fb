package dev.tarn.gateway.auth;

import dev.tarn.cluster.control.User;
import dev.tarn.gateway.auth.Authentication.Authenticated;
import dev.tarn.gateway.auth.Authentication.Scheme;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import dev.tarn.gateway.fuzz.WireRequest;
import dev.tarn.gateway.request.Addressing;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.QueryParameters.Parameter;
import dev.tarn.gateway.request.RequestHead;
import dev.tarn.gateway.request.RequestTarget;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * Signed requests under change: from the head to the canonical request, in all three schemes. What
 * still holds must mean what was signed.
 */
class SignedRequestsFuzz extends ParserFuzz {
  private static final Addressing ADDRESSING = new Addressing(List.of("s3.amazonaws.com"));
  private static final List<RequestHead> SIGNED = signed();

  private static final Pattern SIGNED_HEADERS =
      Pattern.compile("(?:^AWS4-HMAC-SHA256|,) *SignedHeaders=([^,]*)");

  private final Authenticator authenticator = ExampleRequests.authenticator();
  private final Set<Meaning> signedMeanings = new HashSet<>();

  SignedRequestsFuzz() {
    super(SIGNED.stream().map(WireRequest::input).toList(), Set.of(S3Exception.class));
    for (RequestHead head : SIGNED) {
      signedMeanings.add(Meaning.of(head, (Authenticated) authenticator.authenticate(head)));
    }
  }

  @Override
  protected void parse(FuzzInput input) {
    RequestHead head = WireRequest.of(input).head(ExampleRequests.SIGNED);
    Authentication authentication = authenticator.authenticate(head);
    if (authentication instanceof Authenticated signed) {
      Meaning meaning = Meaning.of(head, signed);
      if (!signedMeanings.contains(meaning)) {
        throw new AssertionError("was never signed: " + meaning);
      }
    }
    PresignedHeaders.apply(head);
  }

  @Override
  protected List<String> vocabulary() {
    return List.of(
        "UNSIGNED-PAYLOAD",
        "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
        "x-amz-copy-source: /b/other\n",
        "x-amz-date",
        "host;",
        ";host",
        "host",
        "&X-Amz-Expires=604800",
        "&X-Amz-Signature=",
        "&Signature=",
        "AWS4-HMAC-SHA256 ",
        "aws4_request",
        "http://h");
  }

  private static List<RequestHead> signed() {
    SdkSigner signer = new SdkSigner();
    List<RequestHead> heads = new ArrayList<>();
    heads.add(ExampleRequests.getObject());
    heads.add(ExampleRequests.putChunks());
    heads.add(ExampleRequests.putChunksWithTrailer());
    OddRequests odd = new OddRequests(5);
    for (int i = 0; i < 8; i++) {
      heads.add(signer.signHeader(odd.next(), odd.body(64), odd.region()).head());
      heads.add(signer.presign(odd.next(), odd.region(), Duration.ofHours(1)).head());
    }
    SdkHttpRequest put =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.PUT)
            .uri(URI.create("http://tarn.example.org/bucket/a/b%20c?partNumber=1&uploadId=u%2F1"))
            .putHeader("x-amz-meta-who", "me")
            .putHeader("Content-Type", "text/plain")
            .build();
    heads.add(signer.presign(put, "any", Duration.ofSeconds(60)).head());
    heads.add(signer.signHeader(put, new byte[5], "any").head());
    heads.addAll(versionTwo());
    return heads;
  }

  /** URLs that botocore made, an hour before they expire. */
  private static List<RequestHead> versionTwo() {
    String key = "AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE";
    return List.of(
        ExampleRequests.request(
            "GET",
            "/b/a//b/../%C3%A9%20%2B%2A%27%28%29%21~%252F/"
                + "?response-content-type=text%2Fplain%3B%20charset%3Dutf-8&versionId=null&"
                + key
                + "&Signature=qBqWMV%2FrLQOvJhi%2FB%2BIRAXwFM%2BQ%3D&Expires=1369357200",
            "host",
            "h"),
        ExampleRequests.request(
            "PUT",
            "/b/k?"
                + key
                + "&Signature=fe%2FZuwc1ry8rwiIyk4fnb2bRJxg%3D&x-amz-meta-who=me"
                + "&content-type=text%2Fplain&Expires=1369357200",
            "host",
            "h"),
        ExampleRequests.request(
            "PUT",
            "/b/k?partNumber=2&uploadId=u%2F1&"
                + key
                + "&Signature=hlHPuFtNDlNQ1%2BZpIzb9zQ55hZ8%3D&Expires=1369357200",
            "host",
            "h"));
  }

  /** What a request asks for, as far as its signature covers it. */
  private record Meaning(
      User user,
      Scheme scheme,
      PayloadPlan payload,
      String method,
      RequestTarget target,
      List<String> parameters,
      List<String> headers) {
    static Meaning of(RequestHead head, Authenticated signed) {
      boolean version2 = signed.scheme() == Scheme.V2_QUERY;
      return new Meaning(
          signed.user(),
          signed.scheme(),
          signsPayload(head, signed) ? signed.payload() : new PayloadPlan.Unsigned(),
          head.method(),
          ADDRESSING.resolve(head),
          version2 ? List.of() : parameters(head),
          version2 ? headersOfVersion2(head) : headers(head, signedNames(head)));
    }

    /** Who holds a URL that leaves the body open may choose the body, and so how it is checked. */
    private static boolean signsPayload(RequestHead head, Authenticated signed) {
      return signed.scheme() == Scheme.V4_HEADER
          || head.query().contains("X-Amz-Content-Sha256")
          || (signed.scheme() == Scheme.V4_QUERY
              && signedNames(head).contains(ContentSha256.HEADER));
    }

    private static List<String> parameters(RequestHead head) {
      return head.query().list().stream()
          .filter(parameter -> !parameter.name().equals(PresignedQuery.SIGNATURE))
          .map(parameter -> parameter.name() + "=" + parameter.value())
          .sorted()
          .toList();
    }

    private static List<String> signedNames(RequestHead head) {
      String names = head.query().first("X-Amz-SignedHeaders");
      if (names == null) {
        // A field begins behind the scheme or a comma: elsewhere the same letters mean nothing.
        Matcher field = SIGNED_HEADERS.matcher(head.headers().find("authorization").orElse(""));
        names = field.find() ? field.group(1) : "";
      }
      return Arrays.asList(names.strip().split(";", -1));
    }

    private static List<String> headers(RequestHead head, List<String> names) {
      return names.stream()
          .map(name ->
              name
                  + ":"
                  + String.join(",", head.headers().all(name))
                      .replaceAll("[ \t]+", " ")
                      .replaceAll(" ?, ?", ",")
                      .strip())
          .toList();
    }

    private static List<String> headersOfVersion2(RequestHead head) {
      Headers applied = PresignedHeaders.apply(head).headers();
      List<String> found = new ArrayList<>();
      // Only the first is signed, and only the first is read.
      applied.find("content-type").ifPresent(type -> found.add("content-type:" + type.strip()));
      for (int i = 0; i < applied.size(); i++) {
        String name = applied.nameAt(i);
        if (name.startsWith("x-amz-")) {
          found.add(name + ":" + applied.valueAt(i).strip());
        }
      }
      for (Parameter parameter : head.query().list()) {
        String name = parameter.name().toLowerCase(Locale.ROOT);
        if (name.startsWith("response-") || name.equals("uploadid") || name.equals("expires")) {
          found.add(name + "=" + parameter.value());
        }
      }
      return found.stream().sorted().toList();
    }
  }
}
