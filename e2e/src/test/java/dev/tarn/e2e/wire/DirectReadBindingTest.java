package dev.tarn.e2e.wire;

import static dev.tarn.transport.server.DirectReadFigures.Outcome.BROKEN;
import static dev.tarn.transport.server.DirectReadFigures.Outcome.REFUSED;
import static dev.tarn.transport.server.DirectReadFigures.Outcome.SERVED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.capability.ReadTicket;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.fixtures.target.TestBody;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.transport.server.BodyForm;
import dev.tarn.transport.server.DirectReadFigures;
import dev.tarn.transport.server.FormedTarget;
import dev.tarn.transport.server.RemoteTarget;
import io.vertx.core.Vertx;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a target answers to clients with tickets, and to strangers. */
@Timeout(120)
final class DirectReadBindingTest {
  private static final String TEXT = "0123456789";

  private final Vertx vertx = Vertx.vertx();
  private final MemoryTarget memory = new MemoryTarget();
  private final AtomicLong mapEpoch = new AtomicLong(1);
  private final CallJudge judge = new CallJudge(new EveryBucketView(mapEpoch::get));
  private final RemoteTarget remote =
      RemoteTarget.admitting(vertx, new JudgedTarget(judge, memory));
  private final HttpClient http = HttpClient.newHttpClient();
  private String etag = "";

  @BeforeEach
  void putAnObject() {
    remote.start();
    etag = '"' + put("k", TEXT).etag() + '"';
  }

  @AfterEach
  void stop() {
    http.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private ObjectMetadata put(String key, String text) {
    TargetRequest.Put request =
        new TargetRequest.Put(
            scope(1), ObjectKey.of(key), ObjectAttributes.NONE, Set.of(), Preconditions.NONE);
    return ((Outcome.Success<ObjectMetadata>)
            memory.call(request, TestBody.of(text)).toCompletableFuture().join())
        .value();
  }

  private static CallScope scope(long epoch) {
    return new CallScope(new BucketId(1), 1, epoch, CallContext.UNNAMED);
  }

  private static TargetRequest.Get get(String key, long epoch) {
    return new TargetRequest.Get(
        scope(epoch), ObjectKey.of(key), Optional.empty(), Selection.WHOLE, Preconditions.NONE);
  }

  private static String ticket(String key, long epoch) {
    return ReadTicket.issue(RemoteTarget.CAPABILITIES, get(key, epoch)).text();
  }

  private HttpResponse<String> read(String ticket, String... headers) throws Exception {
    return read(remote, ticket, headers);
  }

  private HttpResponse<String> read(RemoteTarget from, String ticket, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://" + from.address() + HttpBinding.READ_PATH))
            .timeout(Duration.ofSeconds(30))
            .header(HttpBinding.TICKET_HEADER, ticket);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @ParameterizedTest
  @EnumSource(BodyForm.class)
  void objectComesWithItsLengthAndETagInWhateverFormTheTargetGivesIt(BodyForm form)
      throws Exception {
    RemoteTarget formed =
        RemoteTarget.admitting(vertx, new JudgedTarget(judge, new FormedTarget(memory, form::of)));
    formed.start();

    HttpResponse<String> whole = read(formed, ticket("k", 1));
    assertThat(whole.statusCode()).isEqualTo(200);
    assertThat(whole.body()).isEqualTo(TEXT);
    assertThat(whole.headers().firstValue("etag")).hasValue(etag);
    assertThat(whole.headers().firstValue("content-length")).hasValue("10");

    HttpResponse<String> range = read(formed, ticket("k", 1), "Range", "bytes=2-4");
    assertThat(range.statusCode()).isEqualTo(206);
    assertThat(range.body()).isEqualTo("234");
    assertThat(range.headers().firstValue("content-range")).hasValue("bytes 2-4/10");
  }

  @Test
  void everyAnswerNamesTheRequest() throws Exception {
    String served = requestId(read(ticket("k", 1)));
    String missing = requestId(read(ticket("missing", 1)));
    String refused = requestId(read("no ticket"));
    assertThat(Set.of(served, missing, refused))
        .hasSize(3)
        .allSatisfy(id -> assertThat(id).matches("direct-[0-9a-f]+"));
  }

  private static String requestId(HttpResponse<String> answer) {
    return answer.headers().firstValue("x-amz-request-id").orElse("");
  }

  @Test
  void oneTicketServesEveryRange() throws Exception {
    String ticket = ticket("k", 1);

    assertThat(read(ticket, "Range", "bytes=7-").body()).isEqualTo("789");
    assertThat(read(ticket, "Range", "bytes=9-99").body()).isEqualTo("9");
    assertThat(read(ticket, "Range", "bytes=10-").statusCode()).isEqualTo(416);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=5-2", "bytes=-3", "bytes=1-2,4-5", "lines=1-2", "bytes=a-"})
  void rangeOfAnotherFormIsRefused(String range) throws Exception {
    HttpResponse<String> refusal = read(ticket("k", 1), "Range", range);

    assertThat(refusal.statusCode()).isEqualTo(400);
    assertThat(refusal.body()).contains("must be bytes=FIRST-[LAST]");
  }

  @Test
  void objectThatIsAnotherByNowIsRefused() throws Exception {
    assertThat(read(ticket("k", 1), "If-Match", etag).body()).isEqualTo(TEXT);
    put("k", "other");
    assertThat(read(ticket("k", 1), "If-Match", etag).statusCode()).isEqualTo(412);
    for (String other : new String[] {"*", "\"*\"", "W/\"x\"", "x", "\"a\", \"b\""}) {
      assertThat(read(ticket("k", 1), "If-Match", other).statusCode()).isEqualTo(400);
    }
  }

  @Test
  void emptyAndMissingObjects() throws Exception {
    put("empty", "");

    assertThat(read(ticket("empty", 1)).statusCode()).isEqualTo(200);
    assertThat(read(ticket("empty", 1)).body()).isEmpty();
    assertThat(read(ticket("missing", 1)).statusCode()).isEqualTo(404);
  }

  @Test
  void ticketUnderAnOlderMapIsAConflict() throws Exception {
    mapEpoch.set(5);

    assertThat(read(ticket("k", 4)).statusCode()).isEqualTo(409);
    assertThat(read(ticket("k", 5)).body()).isEqualTo(TEXT);
    assertThat(read(ticket("k", 6)).statusCode()).isEqualTo(503);
  }

  @Test
  void ticketOfAnotherObjectOrOfAStrangerOrOfYesterdayIsForbidden() throws Exception {
    String otherRequest = ticket("other", 1).split(":", 2)[1];
    String moved = ticket("k", 1).split(":", 2)[0] + ":" + otherRequest;
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) 1);
    String forged = by(ClusterSecrets.of(secret), InstantSource.system());
    String late =
        by(
            ClusterSecrets.of(new byte[32]),
            () -> InstantSource.system().instant().minus(Duration.ofMinutes(6)));

    assertThat(read(moved).statusCode()).isEqualTo(403);
    assertThat(read(forged).statusCode()).isEqualTo(403);
    assertThat(read(late).statusCode()).isEqualTo(403);
    assertThat(read(late).body()).contains("expired");
  }

  private static String by(ClusterSecrets secrets, InstantSource clock) {
    return ReadTicket.issue(new Capabilities(secrets, clock), get("k", 1)).text();
  }

  @Test
  void garbageOfStrangersIsForbiddenAndThatOfMembersRefusedAndTheServerStays() throws Exception {
    for (String garbage : new String[] {"", "x", ":", "a:b", "a:!!!", ":::"}) {
      assertThat(read(garbage).statusCode()).describedAs(garbage).isEqualTo(403);
    }
    String capability = ticket("k", 1).split(":", 2)[0];
    for (String garbage : new String[] {"", "!!!", "bm9uc2Vuc2U", ":"}) {
      assertThat(read(capability + ":" + garbage).statusCode()).describedAs(garbage).isEqualTo(400);
    }
    assertThat(read(ticket("k", 1)).body()).isEqualTo(TEXT);
  }

  @ParameterizedTest
  @EnumSource(BodyForm.class)
  void readsAndTheirBytesAreCountedByWhatBecameOfThem(BodyForm form) throws Exception {
    RemoteTarget formed =
        RemoteTarget.admitting(vertx, new JudgedTarget(judge, new FormedTarget(memory, form::of)));
    formed.start();
    DirectReadFigures figures = formed.directReads();

    read(formed, ticket("k", 1));
    read(formed, ticket("k", 1), "Range", "bytes=2-4");
    read(formed, "a stranger's");
    read(formed, ticket("missing", 1));
    read(formed, ticket("k", 1), "Range", "bytes=10-");

    await(() -> figures.inFlight() == 0);
    assertThat(figures.count(SERVED)).isEqualTo(2);
    assertThat(figures.count(REFUSED)).isEqualTo(3);
    assertThat(figures.count(BROKEN)).isZero();
    assertThat(figures.sentBytes()).isEqualTo(TEXT.length() + 3);
    assertThat(figures.nanos(SERVED)).isPositive();
    assertThat(figures.nanos(REFUSED)).isPositive();
  }

  /** An answer has come before the server counts it. */
  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void bodyIsClosedWhereTheClientLeavesInTheMiddle() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    byte[] large = new byte[64 << 20];
    RemoteTarget slow =
        RemoteTarget.admitting(
            vertx,
            new JudgedTarget(
                judge,
                new FormedTarget(
                    memory,
                    body -> {
                      body.close();
                      return new OutgoingBody.Stream(
                          TestBody.of(large).bytes(), body.length(), closed::countDown);
                    })));
    slow.start();
    put("large", "x".repeat(large.length));
    try (Socket socket = new Socket(slow.address().host(), slow.address().port())) {
      String head =
          "GET %s HTTP/1.1\r\nhost: x\r\n%s: %s\r\n\r\n"
              .formatted(HttpBinding.READ_PATH, HttpBinding.TICKET_HEADER, ticket("large", 1));
      socket.getOutputStream().write(head.getBytes(UTF_8));
      assertThat(socket.getInputStream().readNBytes(1000)).hasSize(1000);
    }

    assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
    DirectReadFigures figures = slow.directReads();
    await(() -> figures.inFlight() == 0);
    assertThat(figures.count(BROKEN)).isEqualTo(1);
    assertThat(figures.sentBytes()).isBetween(1L, large.length - 1L);
  }
}
