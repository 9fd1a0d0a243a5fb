package dev.tarn.client.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.internal.http.ReachedTargets;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.fixtures.TestAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Filter;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Reads of a client whose endpoint is a gateway of a cluster of two targets. */
final class DirectReadsTest {
  private static final int MIB = 1 << 20;

  private final TicketCluster cluster = new TicketCluster();
  private final DirectReads direct = direct(false);
  private final ObjectReads reads = reads(RetryPolicy.NONE);

  private DirectReads direct(boolean encryptedOnly) {
    return new DirectReads(
        encryptedOnly ? Optional.empty() : Optional.of(cluster),
        Optional.of(authorities -> cluster),
        () -> cluster.nanos);
  }

  private ObjectReads reads(RetryPolicy retries) {
    return reads(retries, direct);
  }

  private ObjectReads reads(RetryPolicy retries, DirectReads targets) {
    return new ObjectReads(
        cluster,
        (method, url, headers) -> {
          SdkHttpRequest.Builder request =
              SdkHttpRequest.builder()
                  .method(method)
                  .protocol("http")
                  .host("gateway")
                  .port(9000)
                  .encodedPath("/" + url.authority() + "/" + url.path());
          headers.forEach(request::putHeader);
          return request.build();
        },
        Optional.of(targets),
        StorageOptions.builder().retries(retries).build());
  }

  /** Tries twice, without a wait. */
  private ObjectReads patient() {
    return reads(new RetryPolicy(2, Duration.ZERO, Duration.ZERO));
  }

  private void read(String key, long offset, long end) throws IOException {
    read(reads, key, offset, end);
  }

  private void read(ObjectReads by, String key, long offset, long end) throws IOException {
    cluster.reading.set(key);
    try (var stream = by.open(StorageUrl.parse("s3://data/" + key), offset, end, "\"1\"")) {
      assertThat(stream.readAllBytes()).hasSize((int) (end - offset));
    }
  }

  @Test
  void longRangeIsReadFromTheTargetAndOneTicketServesAllRangesOfAnObject() throws IOException {
    read("a.tar", 0, MIB);
    read("a.tar", MIB, 2 * MIB);
    read("a.tar", 7, 8);

    assertThat(cluster.asked).containsExactly("gateway", "target-1", "target-1", "target-1");
    assertThat(cluster.tickets).isEqualTo(1);
  }

  @Test
  void targetWithTlsIsReadFromUnderTheAuthoritiesThatTheGatewayNames() throws Exception {
    X509Certificate authority = new TestAuthority("cluster").certificate();
    cluster.location = "https://%s:9002/tarn/v1/object?key=%s";
    cluster.authorities = Base64.getEncoder().encodeToString(authority.getEncoded());
    ObjectReads ofEncrypted = reads(RetryPolicy.NONE, direct(true));

    read("a.tar", 0, MIB);
    read(ofEncrypted, "b.tar", 0, MIB);

    assertThat(cluster.asked).containsExactly("gateway", "target-1", "gateway", "target-2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "AAAA", "not base64!", ","})
  void targetWhoseAuthoritiesCannotBeReadIsReadThroughTheGateway(String named) throws IOException {
    cluster.location = "https://%s:9002/tarn/v1/object?key=%s";
    cluster.authorities = named;

    read("a.tar", 0, MIB);

    assertThat(cluster.asked).containsExactly("gateway", "gateway");
  }

  @Test
  void clientThatEncryptsReadsFromNoTargetInTheClear() throws IOException {
    List<String> logged = new ArrayList<>();
    Logger logger = Logger.getLogger(ReachedTargets.class.getName());
    Filter before = logger.getFilter();
    logger.setFilter(line -> !logged.add(new SimpleFormatter().formatMessage(line)));
    try {
      read(reads(RetryPolicy.NONE, direct(true)), "a.tar", 0, MIB);
    } finally {
      logger.setFilter(before);
    }

    assertThat(cluster.asked).containsExactly("gateway", "gateway");
    assertThat(logged)
        .singleElement()
        .asString()
        .contains("the target at target-1:9002 takes reads in the clear only, but the endpoint is");
  }

  @Test
  void clientThatEncryptsRemembersWhichObjectsAreAtTargetsInTheClear() throws Exception {
    ObjectReads ofEncrypted = reads(RetryPolicy.NONE, direct(true));
    X509Certificate authority = new TestAuthority("cluster").certificate();
    cluster.authorities = Base64.getEncoder().encodeToString(authority.getEncoded());
    cluster.location = "https://%s:9002/tarn/v1/object?key=%s";
    read(ofEncrypted, "b.tar", 0, MIB);
    cluster.location = "http://%s:9002/tarn/v1/object?key=%s";
    read(ofEncrypted, "a.tar", 0, MIB);
    cluster.asked.clear();

    read(ofEncrypted, "a.tar", MIB, 2 * MIB);
    read(ofEncrypted, "a.tar", 2 * MIB, 3 * MIB);
    assertThat(cluster.asked).containsExactly("gateway", "gateway");

    cluster.asked.clear();
    cluster.nanos += Duration.ofSeconds(301).toNanos();
    cluster.location = "https://%s:9002/tarn/v1/object?key=%s";
    read(ofEncrypted, "a.tar", 0, MIB);
    assertThat(cluster.asked).describedAs("switched to TLS").containsExactly("gateway", "target-1");
  }

  @Test
  void gatewayThatBreaksOffIsNotTakenForATargetInTheClear() throws IOException {
    DirectReads encrypted = direct(true);
    read(reads(RetryPolicy.NONE, encrypted), "a.tar", 0, MIB);
    cluster.nanos += Duration.ofSeconds(61).toNanos();
    encrypted.brokeOff(StorageUrl.parse("s3://data/a.tar"), "reset");
    cluster.asked.clear();

    read(reads(RetryPolicy.NONE, encrypted), "b.tar", 0, MIB);
    assertThat(cluster.asked).describedAs("asks for tickets").hasSize(2);
  }

  @Test
  void shortRangeIsReadFromTheTargetTheSecondTime() throws IOException {
    read("a.tar", 0, 100);
    read("b.tar", 0, 100);
    read("a.tar", 100, 200);

    assertThat(cluster.asked).containsExactly("gateway", "gateway", "gateway", "target-1");
  }

  @Test
  void serverThatKnowsNoDirectReadsAnswersAsEver() throws IOException {
    cluster.givesTickets = false;

    read("a.tar", 0, MIB);
    read("a.tar", MIB, 2 * MIB);

    assertThat(cluster.asked).containsExactly("gateway", "gateway");
  }

  @Test
  void ticketIsAskedForAnewWhenItsTimeIsOver() throws IOException {
    read("a.tar", 0, MIB);
    cluster.nanos += Duration.ofSeconds(299).toNanos();
    read("a.tar", 0, MIB);
    cluster.nanos += Duration.ofSeconds(2).toNanos();
    read("a.tar", 0, MIB);

    assertThat(cluster.tickets).isEqualTo(2);
    assertThat(cluster.asked)
        .containsExactly("gateway", "target-1", "target-1", "gateway", "target-1");
  }

  @Test
  void objectsOfATargetThatCannotBeReachedAreReadThroughTheGatewayForAWhile() throws IOException {
    cluster.unreachable.add("target-1");
    read("b.tar", 0, MIB);
    read("a.tar", 0, MIB);
    read("a.tar", 0, MIB);
    read("b.tar", 0, MIB);
    assertThat(cluster.asked)
        .containsExactly(
            "gateway", "target-2", "gateway", "target-1", "gateway", "gateway", "target-2");

    cluster.unreachable.clear();
    cluster.asked.clear();
    cluster.nanos += Duration.ofSeconds(61).toNanos();
    read("a.tar", 0, MIB);
    assertThat(cluster.asked).containsExactly("target-1");
  }

  @Test
  void clientWhoReachesNoTargetAsksForNoTicketsUntilItTriesAgain() throws IOException {
    cluster.unreachable.addAll(Set.of("target-1", "target-2"));
    read("a.tar", 0, MIB);
    cluster.asked.clear();

    read("b.tar", 0, MIB);
    read("b2.tar", 0, MIB);
    assertThat(cluster.asked).containsExactly("gateway", "gateway");

    cluster.asked.clear();
    cluster.nanos += Duration.ofSeconds(61).toNanos();
    read("b.tar", 0, MIB);
    assertThat(cluster.asked).containsExactly("gateway", "target-2", "gateway");
  }

  @Test
  void pauseOfATargetThatIsStillNotReachedGrows() throws IOException {
    cluster.unreachable.add("target-1");
    read("a.tar", 0, MIB);
    cluster.nanos += Duration.ofSeconds(61).toNanos();
    read("a.tar", 0, MIB);
    cluster.asked.clear();

    cluster.nanos += Duration.ofSeconds(61).toNanos();
    read("a.tar", 0, MIB);
    assertThat(cluster.asked).containsExactly("gateway");
  }

  @Test
  void whatATargetDoesNotHaveTheGatewayIsAskedFor() throws IOException {
    cluster.targetStatus = 409;

    read("a.tar", 0, MIB);
    assertThat(cluster.asked).containsExactly("gateway", "target-1", "gateway");

    cluster.targetStatus = 200;
    read("a.tar", 0, MIB);
    assertThat(cluster.tickets).isEqualTo(2);
    assertThat(cluster.asked).endsWith("gateway", "target-1");
  }

  @Test
  void targetThatRefusesTicketsWhichAreNewIsLeftAloneForAWhile() throws IOException {
    cluster.targetStatus = 403;

    read("a.tar", 0, MIB);
    read("a.tar", 0, MIB);

    assertThat(cluster.asked).containsExactly("gateway", "target-1", "gateway", "gateway");
  }

  @Test
  void ticketThatHasExpiredAtTheTargetIsReplaced() throws IOException {
    read("a.tar", 0, MIB);
    cluster.targetStatus = 403;
    read("a.tar", 0, MIB);
    cluster.targetStatus = 200;
    cluster.asked.clear();

    read("a.tar", 0, MIB);

    assertThat(cluster.asked).containsExactly("gateway", "target-1");
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 409, 500, 502, 503})
  void failureOfOneObjectIsNotHeldAgainstItsTarget(int status) throws IOException {
    cluster.targetStatus = status;
    read("a.tar", 0, MIB);
    cluster.targetStatus = 200;
    cluster.asked.clear();

    read("a2.tar", 0, MIB);

    assertThat(cluster.asked).containsExactly("gateway", "target-1");
  }

  @Test
  void serverThatIsNoTargetIsNotBelieved() throws IOException {
    cluster.isMarked = false;

    read("a.tar", 0, MIB);
    read("a.tar", 0, MIB);

    assertThat(cluster.asked).containsExactly("gateway", "target-1", "gateway", "gateway");
  }

  @Test
  void answerThatIsNotTheRangeThatWasAskedForIsNotTaken() throws IOException {
    cluster.shift = 1;

    read("a.tar", 5, MIB);

    assertThat(cluster.asked).containsExactly("gateway", "target-1", "gateway");
  }

  @Test
  void restOfAnAnswerThatBreaksOffComesFromTheGateway() throws IOException {
    cluster.cutAt = 1000;
    try (ObjectStream stream = patient().open(StorageUrl.parse("s3://data/a.tar"), 0, MIB, null)) {
      assertThat(stream.readAllBytes()).hasSize(MIB);
    }

    assertThat(cluster.asked).containsExactly("gateway", "target-1", "gateway");
  }

  @Test
  void interruptedReaderSaysNothingOfATarget() throws IOException {
    cluster.unreachable.add("target-1");
    Thread.currentThread().interrupt();
    try {
      read("a.tar", 0, MIB);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    cluster.unreachable.clear();
    cluster.asked.clear();

    read("a.tar", 0, MIB);

    assertThat(cluster.asked).containsExactly("target-1");
  }

  /** Reads another object of the same target while it answers the next request. */
  private void readMeanwhileAtTarget(String key) {
    AtomicBoolean first = new AtomicBoolean(true);
    cluster.atTarget =
        () -> {
          if (first.getAndSet(false)) {
            try {
              read(key, 0, MIB);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        };
  }

  @Test
  void allRequestsGoToATargetThatHasNotFailed() throws IOException {
    readMeanwhileAtTarget("a2.tar");

    read("a.tar", 0, MIB);

    assertThat(cluster.asked).containsExactly("gateway", "target-1", "gateway", "target-1");
  }

  @Test
  void afterAFailureOneRequestTriesTheTargetAndTheOthersWaitForNothing() throws IOException {
    cluster.unreachable.add("target-1");
    read("a.tar", 0, MIB);
    cluster.unreachable.clear();
    cluster.nanos += Duration.ofSeconds(61).toNanos();
    cluster.asked.clear();
    readMeanwhileAtTarget("a2.tar");

    read("a.tar", 0, MIB);
    assertThat(cluster.asked).containsExactly("target-1", "gateway", "gateway");

    cluster.asked.clear();
    read("a2.tar", 0, MIB);
    assertThat(cluster.asked).containsExactly("target-1");
  }

  /** Lets another thread read the object that the first question is of, as far as it gets. */
  private FutureTask<Void> readMeanwhile(String key) {
    FutureTask<Void> other =
        new FutureTask<>(() -> {
          read(key, MIB, 2 * MIB);
          return null;
        });
    Thread thread = new Thread(other);
    cluster.atTicket =
        () -> {
          if (thread.getState() == Thread.State.NEW) {
            thread.start();
            while (!other.isDone() && thread.getState() != Thread.State.WAITING) {
              Thread.onSpinWait();
            }
          }
        };
    return other;
  }

  @Test
  @Timeout(60)
  void whatOneThreadAsksForServesTheOthersThatWantTheObject() throws Exception {
    read("b1.tar", 0, MIB);
    cluster.asked.clear();
    FutureTask<Void> other = readMeanwhile("b2.tar");

    read("b2.tar", 0, MIB);
    other.get();

    assertThat(cluster.asked).containsExactly("gateway", "target-2", "target-2");
    assertThat(cluster.tickets).isEqualTo(2);
  }

  @Test
  @Timeout(60)
  void whoWaitedForATicketThatIsNotGivenReadsThroughTheGateway() throws Exception {
    read("b1.tar", 0, MIB);
    cluster.asked.clear();
    cluster.givesTickets = false;
    FutureTask<Void> other = readMeanwhile("b2.tar");

    read("b2.tar", 0, MIB);
    other.get();

    assertThat(cluster.asked).containsExactly("gateway", "gateway");
  }

  @Test
  @Timeout(60)
  void nobodyWaitsAtAServerThatHasNeverGivenATicket() throws Exception {
    cluster.givesTickets = false;
    FutureTask<Void> other = readMeanwhile("b.tar");
    read("b.tar", 0, MIB);

    assertThat(other.isDone()).isTrue();
  }

  @Test
  void directionsThatAreNoneAreNotFollowed() throws IOException {
    for (String nonsense : new String[] {"https://%s/", "file:///etc/%s", "::%s", "http:///%s"}) {
      cluster.asked.clear();
      cluster.location = nonsense;
      read("a.tar", 0, MIB);
      assertThat(cluster.asked).containsExactly("gateway", "gateway");
      read("a.tar", 0, MIB);
      assertThat(cluster.asked).describedAs("not asked again at once").hasSize(3);
      cluster.nanos += Duration.ofHours(2).toNanos();
    }
  }

  @Test
  void objectThatWasReplacedIsToldToBeSoByWhomeverItIsReadFrom() throws IOException {
    StorageUrl url = StorageUrl.parse("s3://data/a.tar");

    assertThatThrownBy(() -> reads.open(url, 0, MIB, "\"2\""))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CHANGED));
    assertThat(cluster.asked).containsExactly("gateway", "target-1");
  }
}
