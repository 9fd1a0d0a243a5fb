package dev.tarn.transport.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.capability.Grant;
import dev.tarn.cluster.capability.ReadTicket;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Deleted;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.OfKey;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.transport.relay.HttpTarget;
import dev.tarn.transport.relay.PatientClients;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that disconnect, and targets that fail. The server has one event loop. */
final class TargetServerTest {
  private static final CallScope SCOPE = new CallScope(new BucketId(1), 1, 1, CallContext.UNNAMED);
  private static final ObjectKey JUDGED = ObjectKey.of("judged");
  private static final ObjectKey OTHER = ObjectKey.of("other");

  private final Vertx vertx = Vertx.vertx();
  private final List<ObjectKey> carriedOut = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() {
    close(vertx);
  }

  @Test
  void aDeleteOfALostCallerIsNotCarriedOut() {
    PendingAdmission admission = new PendingAdmission();
    RemoteTarget remote = start(admission, new Noting());
    Vertx caller = Vertx.vertx();
    CompletableFuture<Outcome<Deleted>> lost =
        delete(
            new HttpTarget(
                PatientClients.plain(caller), remote.address(), RemoteTarget.CAPABILITIES),
            JUDGED);
    admission.asked.join();

    close(caller);
    admission.admitAfterClose(remote);

    assertThat(carriedOut).isNotEmpty().doesNotContain(JUDGED);
    assertThat(lost.join()).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void aDirectReadOfALostClientIsNotCarriedOut() throws IOException {
    PendingAdmission admission = new PendingAdmission();
    RemoteTarget remote = start(admission, new Noting());
    Get read = new Get(SCOPE, JUDGED, Optional.empty(), Selection.WHOLE, Preconditions.NONE);
    String head =
        "GET %s HTTP/1.1\r\nhost: x\r\n%s: %s\r\n\r\n"
            .formatted(
                HttpBinding.READ_PATH,
                HttpBinding.TICKET_HEADER,
                ReadTicket.issue(RemoteTarget.CAPABILITIES, read).text());
    try (Socket socket = new Socket(remote.address().host(), remote.address().port())) {
      socket.getOutputStream().write(head.getBytes(ISO_8859_1));
      admission.asked.join();
    }
    admission.admitAfterClose(remote);

    assertThat(carriedOut).isNotEmpty().doesNotContain(JUDGED);
    assertThat(remote.directReads().count(DirectReadFigures.Outcome.BROKEN)).isEqualTo(1);
  }

  @Test
  void probeIsAnsweredWithoutACapabilityWhileACallWaits() throws IOException {
    PendingAdmission admission = new PendingAdmission();
    RemoteTarget remote = start(admission, new Noting());
    CompletableFuture<Outcome<Deleted>> waiting = delete(remote.target(), JUDGED);
    admission.asked.join();
    String probe = "GET %s HTTP/1.1\r\nhost: x\r\n\r\n".formatted(HttpBinding.PROBE_PATH);
    try (Socket socket = new Socket(remote.address().host(), remote.address().port())) {
      socket.getOutputStream().write(probe.getBytes(ISO_8859_1));
      byte[] start = socket.getInputStream().readNBytes("HTTP/1.1 204".length());
      assertThat(new String(start, ISO_8859_1)).isEqualTo("HTTP/1.1 204");
    }
    assertThat(waiting).isNotDone();
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "-1", "", "1234567890123456789", "1%202", "%zz", "1&bucket=y"})
  void trafficOfABucketIsRefusedUnlessItsIdIsANumber(String id) throws IOException {
    RemoteTarget remote = start(() -> completedFuture(Optional.empty()), new Noting());
    assertThat(askTraffic(remote, id)).startsWith("HTTP/1.1 400 ");
    assertThat(askTraffic(remote, "12")).startsWith("HTTP/1.1 200 ");
  }

  private static String askTraffic(RemoteTarget remote, String bucketId) throws IOException {
    String head =
        "POST %s?%s=%s HTTP/1.1\r\nhost: x\r\nconnection: close\r\n%s: %s\r\n\r\n"
            .formatted(
                HttpBinding.TRAFFIC_PATH,
                HttpBinding.BUCKET_PARAMETER,
                bucketId,
                HttpBinding.CAPABILITY_HEADER,
                RemoteTarget.CAPABILITIES.issueForCall(Grant.ofReport()));
    try (Socket socket = new Socket(remote.address().host(), remote.address().port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(head.getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  @Test
  void aCallThatEndsInAnErrorIsAnswered() {
    assertIsBug(
        start(() -> completedFuture(Optional.empty()), new Throwing(new StackOverflowError())));
  }

  @Test
  void aCallWhoseAdmissionThrowsAnErrorIsAnswered() {
    assertIsBug(
        start(
            () -> {
              throw new StackOverflowError();
            },
            new Noting()));
    assertThat(carriedOut).doesNotContain(JUDGED);
  }

  @Test
  void aCallWhoseAdmissionFailsIsAnswered() {
    assertIsBug(start(() -> failedFuture(new StackOverflowError()), new Noting()));
    assertThat(carriedOut).doesNotContain(JUDGED);
  }

  private void assertIsBug(RemoteTarget remote) {
    assertThat(delete(remote.target(), JUDGED))
        .succeedsWithin(10, TimeUnit.SECONDS)
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.Bug.class));
    assertThat(delete(remote.target(), OTHER)).succeedsWithin(10, TimeUnit.SECONDS);
  }

  private RemoteTarget start(
      Supplier<CompletionStage<Optional<Failure>>> judged, ObjectTarget target) {
    RemoteTarget remote = RemoteTarget.admitting(vertx, new JudgedKey(judged, target));
    remote.start();
    return remote;
  }

  private static CompletableFuture<Outcome<Deleted>> delete(ObjectTarget target, ObjectKey key) {
    return target
        .call(new Delete(SCOPE, key, Optional.empty(), Preconditions.NONE))
        .toCompletableFuture();
  }

  private static void close(Vertx closing) {
    closing.close().toCompletionStage().toCompletableFuture().join();
  }

  /** Admits calls of all keys but {@link #JUDGED}. */
  private record JudgedKey(Supplier<CompletionStage<Optional<Failure>>> judged, ObjectTarget target)
      implements CallAdmission {
    @Override
    public CompletionStage<Outcome<ObjectTarget>> admit(TargetRequest<?> request) {
      return keyOf(request).equals(JUDGED)
          ? judged.get().thenApply(this::admitted)
          : completedFuture(Outcome.success(target));
    }

    private Outcome<ObjectTarget> admitted(Optional<Failure> refusal) {
      return refusal.map(Outcome::<ObjectTarget>failed).orElseGet(() -> Outcome.success(target));
    }

    @Override
    public CompletionStage<Outcome<ObjectTarget>> admitTicket(Get read) {
      return admit(read);
    }
  }

  private static ObjectKey keyOf(TargetRequest<?> request) {
    return ((OfKey<?>) request).key();
  }

  /** An admission that is pending until a caller's connection is closed. */
  private static final class PendingAdmission
      implements Supplier<CompletionStage<Optional<Failure>>> {
    final CompletableFuture<Void> asked = new CompletableFuture<>();
    private final CompletableFuture<Optional<Failure>> admitted = new CompletableFuture<>();

    @Override
    public CompletionStage<Optional<Failure>> get() {
      asked.complete(null);
      return admitted;
    }

    /** The reply to a later connection proves that the event loop has seen the close. */
    void admitAfterClose(RemoteTarget remote) {
      assertThat(delete(remote.target(), OTHER)).succeedsWithin(10, TimeUnit.SECONDS);
      admitted.complete(Optional.empty());
      assertThat(delete(remote.target(), OTHER)).succeedsWithin(10, TimeUnit.SECONDS);
    }
  }

  /** Notes the keys of the calls that it carries out. */
  private class Noting implements ObjectTarget {
    private final MemoryTarget memory = new MemoryTarget();

    @Override
    public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
      carriedOut.add(keyOf(request));
      return memory.call(request, body);
    }
  }

  /** Throws an error at calls of {@link #JUDGED}. */
  private final class Throwing extends Noting {
    private final Error error;

    Throwing(Error error) {
      this.error = error;
    }

    @Override
    public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
      if (keyOf(request).equals(JUDGED)) {
        throw error;
      }
      return super.call(request, body);
    }
  }
}
