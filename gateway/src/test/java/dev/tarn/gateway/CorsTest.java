package dev.tarn.gateway;

import static dev.tarn.gateway.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CORSRule;

/** Web pages of other origins. */
class CorsTest {
  private static final String VARY =
      "Origin, Access-Control-Request-Headers, Access-Control-Request-Method";

  private GatewayFixture gateway;
  private S3Client alice;

  @BeforeEach
  void start() {
    gateway = new GatewayFixture();
    alice = gateway.client(GatewayFixture.ALICE);
    alice.createBucket(r -> r.bucket("alices"));
    alice.putObject(
        r -> r.bucket("alices").key("k").acl("public-read"), RequestBody.fromString("content"));
  }

  @AfterEach
  void stop() {
    alice.close();
    gateway.close();
  }

  private void put(CORSRule... rules) {
    alice.putBucketCors(r -> r.bucket("alices").corsConfiguration(c -> c.corsRules(rules)));
  }

  private static CORSRule.Builder rule(String origin, String... methods) {
    return CORSRule.builder().allowedOrigins(origin).allowedMethods(methods);
  }

  private RawResponse send(String method, String target, String... headers) throws IOException {
    try (RawConnection connection = new RawConnection(gateway.port())) {
      return connection
          .send(
              method
                  + " "
                  + target
                  + " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                  + String.join("\r\n", headers)
                  + (headers.length == 0 ? "" : "\r\n")
                  + "\r\n")
          .receive(method.equals("HEAD"));
    }
  }

  @Test
  void rulesComeBackAsTheyWereSetAndGoAway() {
    CORSRule full =
        rule("https://*.example.com", "GET", "PUT")
            .id("first")
            .allowedHeaders("x-amz-*", "content-type")
            .exposeHeaders("ETag", "x-amz-request-id")
            .maxAgeSeconds(600)
            .build();
    CORSRule least = rule("*", "HEAD").build();

    put(full, least);
    List<CORSRule> rules = alice.getBucketCors(r -> r.bucket("alices")).corsRules();
    assertThat(rules).hasSize(2);
    assertThat(rules.getFirst()).isEqualTo(full);
    assertThat(rules.getLast().allowedOrigins()).containsExactly("*");

    alice.deleteBucketCors(r -> r.bucket("alices"));
    assertRefused(
        "NoSuchCORSConfiguration", 404, () -> alice.getBucketCors(r -> r.bucket("alices")));
  }

  @Test
  void configurationsThatAreNoneAreRefused() {
    assertRefused("InvalidRequest", 400, () -> put(rule("*", "PATCH").build()));
    assertRefused("InvalidRequest", 400, () -> put(rule("https://*.*.com", "GET").build()));
    assertRefused(
        "InvalidRequest", 400, () -> put(rule("*", "GET").allowedHeaders("x-*-*").build()));
    assertRefused(
        "InvalidRequest", 400, () -> put(rule("*", "GET").exposeHeaders("x-amz-*").build()));
    assertRefused("MalformedXML", 400, () -> put(rule("*", "GET").maxAgeSeconds(-1).build()));
    assertRefused("MalformedXML", 400, () -> put(rule("*").build()));
    assertRefused("MalformedXML", 400, () -> put(rule("http://a b", "GET").build()));
    assertRefused("MalformedXML", 400, () -> put());
    assertRefused("MalformedXML", 400, () -> put(numbered(101)));
    put(numbered(100));
    assertThat(alice.getBucketCors(r -> r.bucket("alices")).corsRules()).hasSize(100);
  }

  private static CORSRule[] numbered(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> rule("http://" + i, "GET").build())
        .toArray(CORSRule[]::new);
  }

  @Test
  void configurationIsTheOwners() {
    put(rule("*", "GET").build());
    try (S3Client bob = gateway.client(GatewayFixture.BOB)) {
      assertRefused("AccessDenied", 403, () -> bob.getBucketCors(r -> r.bucket("alices")));
      assertRefused("AccessDenied", 403, () -> bob.deleteBucketCors(r -> r.bucket("alices")));
    }
  }

  @Test
  void preflightIsAnsweredByTheFirstRuleThatFits() throws IOException {
    put(
        rule("https://app.example.com", "GET").build(),
        rule("https://*.example.com", "PUT", "POST")
            .allowedHeaders("Content-Type", "x-amz-meta-*")
            .exposeHeaders("ETag")
            .maxAgeSeconds(60)
            .build());

    RawResponse allowed =
        send(
            "OPTIONS",
            "/alices/new?uploads&X-Amz-Signature=for-another-method&X-Amz-Algorithm=x",
            "Origin: https://app.example.com",
            "Access-Control-Request-Method: PUT",
            "Access-Control-Request-Headers: content-type, X-Amz-Meta-Color");

    assertThat(allowed.status()).isEqualTo(200);
    assertThat(allowed.header("Access-Control-Allow-Origin")).isEqualTo("https://app.example.com");
    assertThat(allowed.header("Access-Control-Allow-Methods")).isEqualTo("PUT, POST");
    assertThat(allowed.header("Access-Control-Allow-Headers"))
        .isEqualTo("content-type, x-amz-meta-color");
    assertThat(allowed.header("Access-Control-Expose-Headers")).isEqualTo("ETag");
    assertThat(allowed.header("Access-Control-Max-Age")).isEqualTo("60");
    assertThat(allowed.header("Access-Control-Allow-Credentials")).isEqualTo("true");
    assertThat(allowed.header("Vary")).isEqualTo(VARY);
  }

  @Test
  void preflightMayAskForSoManyHeadersAndNoMore() throws IOException {
    put(rule("*", "GET").allowedHeaders("X-*").build());

    assertThat(preflightOf(256).status()).isEqualTo(200);
    assertThat(preflightOf(256).header("Access-Control-Allow-Headers")).endsWith(", x-256");
    assertThat(preflightOf(257).status()).isEqualTo(400);
  }

  private RawResponse preflightOf(int headers) throws IOException {
    return send(
        "OPTIONS",
        "/alices",
        "Origin: http://a",
        "Access-Control-Request-Method: GET",
        "Access-Control-Request-Headers: "
            + IntStream.rangeClosed(1, headers)
                .mapToObj(i -> "x-" + i)
                .collect(Collectors.joining(",")));
  }

  @Test
  void preflightThatNoRuleFitsIsForbidden() throws IOException {
    assertForbidden("https://app.example.com", "GET", "");

    put(rule("https://*.example.com", "PUT").allowedHeaders("content-type").build());

    assertForbidden("https://example.com", "PUT", "");
    assertForbidden("http://app.example.com", "PUT", "");
    assertForbidden("https://app.example.com.evil.org", "PUT", "");
    assertForbidden("https://app.example.com", "DELETE", "");
    assertForbidden("https://app.example.com", "PUT", "content-type, authorization");
  }

  private void assertForbidden(String origin, String method, String headers) throws IOException {
    for (String target : List.of("/alices", "/alices/k")) {
      RawResponse refused =
          send(
              "OPTIONS",
              target,
              "Origin: " + origin,
              "Access-Control-Request-Method: " + method,
              "Access-Control-Request-Headers: " + headers);
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.body()).contains("<Code>AccessForbidden</Code>");
      assertThat(refused.headers()).doesNotContainKey("Access-Control-Allow-Origin");
    }
  }

  @Test
  void preflightThatIsNoneIsRefused() throws IOException {
    put(rule("*", "GET").build());

    assertThat(send("OPTIONS", "/alices").status()).isEqualTo(400);
    assertThat(send("OPTIONS", "/alices", "Origin: http://a").status()).isEqualTo(400);
    assertThat(
            send("OPTIONS", "/alices", "Origin: http://a", "Access-Control-Request-Method: PATCH")
                .status())
        .isEqualTo(400);
    assertThat(
            send("OPTIONS", "/nobodys", "Origin: http://a", "Access-Control-Request-Method: GET")
                .status())
        .isEqualTo(404);
  }

  @Test
  void answersAndErrorsCarryTheHeadersOfTheRule() throws IOException {
    put(rule("*", "GET").exposeHeaders("ETag", "x-amz-meta-color").build());

    for (String target : List.of("/alices/k", "/alices/none", "/alices?analytics", "/alices")) {
      RawResponse answer = send("GET", target, "Origin: http://page.example.org");
      assertThat(answer.header("Access-Control-Allow-Origin")).as(target).isEqualTo("*");
      assertThat(answer.header("Access-Control-Expose-Headers"))
          .isEqualTo("ETag, x-amz-meta-color");
      assertThat(answer.headers()).doesNotContainKey("Access-Control-Allow-Credentials");
      assertThat(answer.header("Vary")).isEqualTo(VARY);
    }
    assertThat(send("GET", "/alices/k", "Origin: http://page").body()).isEqualTo("content");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, , 'GET, HEAD'",
    "GET, PUT, PUT",
    "PUT, , PUT",
    "PUT, GET, 'GET, HEAD'",
    "PUT, HEAD, 'GET, HEAD'",
    "GET, DELETE, ",
    "DELETE, , ",
  })
  void methodThatARequestNamesChoosesTheRuleOfItsAnswer(
      String method, @Nullable String named, @Nullable String allowed) throws IOException {
    put(
        rule("http://page.example.org", "GET", "HEAD").build(),
        rule("http://page.example.org", "PUT").build());
    String origin = "Origin: http://page.example.org";

    RawResponse answer =
        named == null
            ? send(method, "/alices/k", origin, "Content-Length: 0")
            : send(
                method,
                "/alices/k",
                origin,
                "Content-Length: 0",
                "Access-Control-Request-Method: " + named);

    assertThat(answer.status()).isEqualTo(method.equals("GET") ? 200 : 403);
    if (allowed == null) {
      assertThat(answer.headers()).doesNotContainKey("Access-Control-Allow-Origin");
    } else {
      assertThat(answer.header("Access-Control-Allow-Methods")).isEqualTo(allowed);
      assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo("http://page.example.org");
    }
  }

  @Test
  void answersToOthersSayThatTheyWouldDiffer() throws IOException {
    assertThat(send("GET", "/alices/k", "Origin: http://a").headers())
        .doesNotContainKeys("Vary", "Access-Control-Allow-Origin");

    put(rule("http://page.example.org", "GET").build());

    RawResponse withoutOrigin = send("GET", "/alices/k");
    RawResponse ofAnother = send("GET", "/alices/k", "Origin: http://other.example.org");
    RawResponse head = send("HEAD", "/alices/k", "Origin: http://page.example.org");
    for (RawResponse answer : List.of(withoutOrigin, ofAnother, head)) {
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header("Vary")).isEqualTo(VARY);
      assertThat(answer.headers()).doesNotContainKey("Access-Control-Allow-Origin");
    }
  }
}
