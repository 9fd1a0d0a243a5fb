package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.route.ReadTickets;
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
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ObjectCannedACL;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Whom a gateway sends to the targets, and whom it does not. */
class RedirectedReadsTest {
  private static final URI TARGET = URI.create("http://target:9002/tarn/v1/object");
  private static final String ASK = "x-tarn-direct-read";
  private static final String ACCEPT = "accept";

  private final List<TargetRequest.Get> directed = new CopyOnWriteArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private volatile boolean givesTickets = true;
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
        ? Optional.of(new ReadTickets.Directions(TARGET, "the-ticket", Duration.ofMinutes(5)))
        : Optional.empty();
  }

  private HttpResponse<String> get(URI uri, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private URI open(String query) {
    return gateway.endpoint().resolve("/open/k" + query);
  }

  private URI signed(String user, String bucket) {
    try (S3Presigner presigner = gateway.presigner(user)) {
      return URI.create(
          presigner
              .presignGetObject(presign ->
                  presign
                      .signatureDuration(Duration.ofMinutes(1))
                      .getObjectRequest(r -> r.bucket(bucket).key("k")))
              .url()
              .toString());
    }
  }

  @Test
  void clientThatAsksIsSentToTheTargetWithATicket() throws Exception {
    HttpResponse<String> answer = get(signed(GatewayFixture.ALICE, "closed"), ASK, ACCEPT);

    assertThat(answer.statusCode()).isEqualTo(307);
    assertThat(answer.body()).isEmpty();
    assertThat(answer.headers().firstValue("Location")).hasValue(TARGET.toString());
    assertThat(answer.headers().firstValue("tarn-read-ticket")).hasValue("the-ticket");
    assertThat(answer.headers().firstValue("tarn-read-ticket-seconds")).hasValue("300");
    assertThat(directed).singleElement().extracting(get -> get.key().text()).isEqualTo("k");
  }

  @Test
  void clientThatDoesNotAskIsNeverSentAnywhere() throws Exception {
    assertThat(get(open("")).body()).isEqualTo("bytes");
    assertThat(get(open(""), ASK, "no").body()).isEqualTo("bytes");
    assertThat(directed).isEmpty();
  }

  @Test
  void rangeAndETagAreLeftToTheTarget() throws Exception {
    assertThat(get(open(""), ASK, ACCEPT, "Range", "bytes=1-2", "If-Match", "\"x\"").statusCode())
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
  void whatTargetsKnowNothingOfIsAnsweredByTheGateway(String header, String value)
      throws Exception {
    assertThat(get(open(""), ASK, ACCEPT, header, value).statusCode()).isEqualTo(200);
    assertThat(directed).isEmpty();
  }

  @Test
  void partOfAMultipartObjectIsReadByTheGateway() throws Exception {
    assertThat(get(open("?partNumber=1"), ASK, ACCEPT).body()).isEqualTo("bytes");
    assertThat(directed).isEmpty();
  }

  @Test
  void gatewayReadsWhereItHasNoTicket() throws Exception {
    givesTickets = false;

    assertThat(get(open(""), ASK, ACCEPT).body()).isEqualTo("bytes");
    assertThat(directed).hasSize(1);
  }

  @Test
  void whoMayNotReadGetsNoTicket() throws Exception {
    assertThat(get(signed(GatewayFixture.BOB, "closed"), ASK, ACCEPT).statusCode()).isEqualTo(403);
    assertThat(get(gateway.endpoint().resolve("/closed/k"), ASK, ACCEPT).statusCode())
        .isEqualTo(403);
    assertThat(directed).isEmpty();
  }

  @Test
  void whereTheObjectsOwnAclDecidesTheGatewayReads() throws Exception {
    alice.putObjectAcl(r -> r.bucket("closed").key("k").acl(ObjectCannedACL.PUBLIC_READ));

    assertThat(get(signed(GatewayFixture.BOB, "closed"), ASK, ACCEPT).body()).isEqualTo("bytes");
    assertThat(directed).isEmpty();
  }
}
