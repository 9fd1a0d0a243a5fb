package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.route.ReadTickets;
import dev.tarn.gateway.route.ReadTickets.ReadPlace;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ObjectCannedACL;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Whom a gateway sends to the targets, and whom it does not. */
class RedirectedReadsTest {
  private static final URI TARGET = URI.create("http://target:9002/tarn/v1/object");
  private static final String ASK = "x-tarn-direct-read";
  private static final String ACCEPT = "accept";

  private final List<TargetRequest.Get> directed = new CopyOnWriteArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private volatile boolean givesTickets = true;
  private volatile ReadPlace place = new ReadPlace(TARGET, Optional.empty());
  private GatewayFixture gateway;
  private S3Client alice;

  @BeforeEach
  void start() {
    gateway = new GatewayFixture(this::directions);
    alice = gateway.client(GatewayFixture.ALICE);
    alice.createBucket(r -> r.bucket("closed"));
    gateway.createPublicBucket("open");
    for (String bucket : List.of("closed", "open")) {
      alice.putObject(r -> r.bucket(bucket).key("k"), RequestBody.fromString("bytes"));
    }
  }

  @AfterEach
  void stop() {
    http.close();
    alice.close();
    gateway.close();
  }

  private Optional<ReadTickets.Directions> directions(TargetRequest.Get read) {
    directed.add(read);
    return givesTickets
        ? Optional.of(new ReadTickets.Directions(place, "the-ticket", Duration.ofMinutes(5)))
        : Optional.empty();
  }

  /** The answer to a GET that a user signs with all its headers. */
  private SdkHttpResponse getAs(String user, String bucket, String... headers) {
    try (S3Client s3 = gateway.client(user)) {
      return s3.getObjectAsBytes(get ->
              get.bucket(bucket)
                  .key("k")
                  .overrideConfiguration(sent -> {
                    for (int i = 0; i < headers.length; i += 2) {
                      sent.putHeader(headers[i], headers[i + 1]);
                    }
                  }))
          .response()
          .sdkHttpResponse();
    } catch (S3Exception e) {
      return e.awsErrorDetails().sdkHttpResponse();
    }
  }

  private SdkHttpResponse get(String... headers) {
    return getAs(GatewayFixture.ALICE, "closed", headers);
  }

  /** The status of an unsigned GET. */
  private int status(URI uri) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri).header(ASK, ACCEPT).build();
    return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  private URI presigned() {
    try (S3Presigner presigner = gateway.presigner(GatewayFixture.ALICE)) {
      return URI.create(
          presigner
              .presignGetObject(presign ->
                  presign
                      .signatureDuration(Duration.ofMinutes(1))
                      .getObjectRequest(r -> r.bucket("closed").key("k")))
              .url()
              .toString());
    }
  }

  @Test
  void clientThatAsksIsSentToTheTargetWithATicket() {
    SdkHttpResponse answer = get(ASK, ACCEPT);

    assertThat(answer.statusCode()).isEqualTo(307);
    assertThat(answer.firstMatchingHeader("Location")).hasValue(TARGET.toString());
    assertThat(answer.firstMatchingHeader("tarn-read-ticket")).hasValue("the-ticket");
    assertThat(answer.firstMatchingHeader("tarn-read-ticket-seconds")).hasValue("300");
    assertThat(directed).singleElement().extracting(get -> get.key().text()).isEqualTo("k");
    assertThat(answer.firstMatchingHeader("tarn-read-authorities")).isEmpty();
  }

  @Test
  void clientLearnsTheAuthoritiesOfATargetWithTls() {
    place = ReadPlace.secured(new TargetAddress("target", 9003), "QUJD,REVG");

    SdkHttpResponse answer = get(ASK, ACCEPT);

    assertThat(answer.firstMatchingHeader("Location"))
        .hasValue("https://target:9003/tarn/v1/object");
    assertThat(answer.firstMatchingHeader("tarn-read-authorities")).hasValue("QUJD,REVG");
  }

  @Test
  void clientThatDoesNotAskIsNeverSentAnywhere() {
    assertThat(get().statusCode()).isEqualTo(200);
    assertThat(get(ASK, "no").statusCode()).isEqualTo(200);
    assertThat(directed).isEmpty();
  }

  @Test
  void versionIsThatOfTheTicket() {
    try {
      alice.getObject(get ->
          get.bucket("closed")
              .key("k")
              .versionId("null")
              .overrideConfiguration(sent -> sent.putHeader(ASK, ACCEPT)));
    } catch (S3Exception e) {
      assertThat(e.statusCode()).isEqualTo(307);
    }
    assertThat(directed)
        .singleElement()
        .extracting(get -> get.version())
        .isEqualTo(Optional.of("null"));
  }

  @Test
  void rangeAndETagAreLeftToTheTarget() {
    assertThat(get(ASK, ACCEPT, "Range", "bytes=1-2", "If-Match", "\"x\"").statusCode())
        .isEqualTo(307);
  }

  @ParameterizedTest
  @CsvSource({
    "If-None-Match, x",
    "If-Modified-Since, 'Thu, 01 Jan 2015 00:00:00 GMT'",
    "If-Unmodified-Since, 'Thu, 01 Jan 2099 00:00:00 GMT'",
    "If-Range, x",
    "x-amz-checksum-mode, ENABLED"
  })
  void whatTargetsKnowNothingOfIsAnsweredByTheGateway(String header, String value) {
    assertThat(get(ASK, ACCEPT, header, value).statusCode()).isEqualTo(200);
    assertThat(directed).isEmpty();
  }

  @Test
  void partOfAMultipartObjectIsReadByTheGateway() {
    assertThat(
            alice
                .getObjectAsBytes(get ->
                    get.bucket("closed")
                        .key("k")
                        .partNumber(1)
                        .overrideConfiguration(sent -> sent.putHeader(ASK, ACCEPT)))
                .asUtf8String())
        .isEqualTo("bytes");
    assertThat(directed).isEmpty();
  }

  @Test
  void gatewayReadsWhereItHasNoTicket() {
    givesTickets = false;

    assertThat(get(ASK, ACCEPT).statusCode()).isEqualTo(200);
    assertThat(directed).hasSize(1);
  }

  @Test
  void whoMayNotReadGetsNoTicket() throws Exception {
    assertThat(getAs(GatewayFixture.BOB, "closed", ASK, ACCEPT).statusCode()).isEqualTo(403);
    assertThat(status(gateway.endpoint().resolve("/closed/k"))).isEqualTo(403);
    assertThat(directed).isEmpty();
  }

  @Test
  void strangersInAnOpenBucketGetNoTicket() throws Exception {
    assertThat(status(gateway.endpoint().resolve("/open/k"))).isEqualTo(200);
    assertThat(directed).isEmpty();
  }

  @Test
  void holderOfAPresignedUrlCannotMakeATicketOfIt() throws Exception {
    assertThat(status(presigned())).isEqualTo(403);
    assertThat(directed).isEmpty();
  }

  @Test
  void whereTheObjectsOwnAclDecidesTheGatewayReads() {
    alice.putObjectAcl(r -> r.bucket("closed").key("k").acl(ObjectCannedACL.PUBLIC_READ));

    assertThat(getAs(GatewayFixture.BOB, "closed", ASK, ACCEPT).statusCode()).isEqualTo(200);
    assertThat(directed).isEmpty();
  }

  @Test
  void whereAPolicyLooksAtAddressesTheGatewayReads() {
    alice.putBucketPolicy(put ->
        put.bucket("closed")
            .policy(
                """
                {"Version": "2012-10-17", "Statement": [{"Effect": "Deny", "Principal": "*",
                  "Action": "s3:GetObject", "Resource": "arn:aws:s3:::closed/*",
                  "Condition": {"IpAddress": {"aws:SourceIp": "192.0.2.0/24"}}}]}
                """));

    assertThat(get(ASK, ACCEPT).statusCode()).isEqualTo(200);
    assertThat(directed).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"Deny, secret, 200", "Deny, none, 403", "Allow, none, 307"})
  void whereAPolicyLooksAtTagsTheGatewayReads(String effect, String tag, int status) {
    alice.putObject(
        r -> r.bucket("closed").key("k").tagging("secrecy=none"), RequestBody.fromString("bytes"));
    alice.putBucketPolicy(put ->
        put.bucket("closed")
            .policy(
                """
                {"Version": "2012-10-17", "Statement": [{"Effect": "%s", "Principal": "*",
                  "Action": "s3:GetObject", "Resource": "arn:aws:s3:::closed/*",
                  "Condition": {"StringEquals": {"s3:ExistingObjectTag/secrecy": "%s"}}}]}
                """
                    .formatted(effect, tag)));

    // An Allow changes nothing for the owner, who reads directly as before.
    assertThat(get(ASK, ACCEPT).statusCode()).isEqualTo(status);
    assertThat(directed).hasSize(status == 307 ? 1 : 0);
    int ofBob = effect.equals("Allow") ? 200 : 403;
    assertThat(getAs(GatewayFixture.BOB, "closed", ASK, ACCEPT).statusCode()).isEqualTo(ofBob);
    assertThat(directed).hasSize(status == 307 ? 1 : 0);
  }
}
