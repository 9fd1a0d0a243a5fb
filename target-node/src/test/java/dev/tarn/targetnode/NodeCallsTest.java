package dev.tarn.targetnode;

import static dev.tarn.targetnode.local.Calls.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.SelectiveHandler;
import dev.tarn.cluster.target.TargetHandler;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.TrafficClass;
import dev.tarn.fixtures.target.StalledBody;
import dev.tarn.targetnode.local.Call;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.targetnode.membership.FixedView;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a target does with the context and the deadline of a call. */
class NodeCallsTest {
  private static final BucketId BUCKET = new BucketId(1);
  private static final ObjectKey KEY = ObjectKey.of("key");
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private final MeterRegistry meters = new SimpleMeterRegistry();

  private NodeCalls callsOf(CompletionStage<Outcome<Object>> outcome) {
    TargetHandler<Call> handler =
        new SelectiveHandler<>() {
          @Override
          @SuppressWarnings("unchecked") // Only failures are given.
          public <R> CompletionStage<Outcome<R>> remaining(TargetRequest<R> request, Call call) {
            return outcome.thenApply(given -> (Outcome<R>) given);
          }
        };
    return new NodeCalls(new CallJudge(viewOf(BucketSettings.PRIMARY)), handler, handler, meters);
  }

  private static FixedView viewOf(BucketSettings settings) {
    return new FixedView(0, 0, bucket -> FixedView.bucket(bucket, settings, Versioning.OFF, 0));
  }

  @TempDir private Path folder;

  private TargetNode open(Optional<BackendSettings> backend) throws IOException {
    BucketSettings settings = BucketSettings.PRIMARY.with(Durability.OS).withBackend(backend);
    FixedView view = viewOf(settings);
    return TargetNode.open(TargetNodeConfig.of(folder), view::mapEpoch, disks -> view, meters);
  }

  private double count(String meter, String... tags) {
    return meters.get(meter).tags(tags).counter().count();
  }

  private static Head head(CallContext context) {
    return Head.ofWhole(new CallScope(BUCKET, 0, 0, context), KEY, Optional.empty());
  }

  private static Put put(long settingsVersion) {
    return new Put(
        new CallScope(BUCKET, settingsVersion, 0, CallContext.UNNAMED),
        KEY,
        ObjectAttributes.NONE,
        Set.of(),
        Preconditions.NONE);
  }

  @Test
  void bodyOfARefusedCallIsCancelled() throws IOException {
    StalledBody late = new StalledBody(10);
    StalledBody unknown = new StalledBody(10);
    try (TargetNode node = open(Optional.empty())) {
      await(node.target().call(put(0).at(0, Deadline.in(Duration.ofMillis(-5))), late));
      await(node.target().call(put(1), unknown));
    }

    for (StalledBody body : List.of(late, unknown)) {
      assertThat(body.isCancelled()).isTrue();
      assertThat(body.isRequested()).isFalse();
    }
  }

  @Test
  void callAfterItsDeadlineIsNotCarriedOut() throws IOException {
    try (TargetNode node = open(Optional.empty())) {
      assertThat(await(node.target().call(put(0).at(0, Deadline.in(Duration.ofMillis(-5))))))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.failure()).isInstanceOf(Failure.DeadlinePassed.class));

      assertThat(await(node.target().call(head(CallContext.UNNAMED))))
          .isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
      assertThat(count("tarn.target.calls.late")).isOne();
    }
  }

  @Test
  void callThatTheTargetFindsTooLateIsCountedAsLate() {
    NodeCalls queued =
        callsOf(CompletableFuture.completedFuture(Outcome.failed(new Failure.DeadlinePassed(3))));

    await(queued.call(head(CallContext.UNNAMED), IncomingBody.EMPTY));

    assertThat(count("tarn.target.calls.late")).isOne();
  }

  @Test
  void callsAreCountedByTheirTrafficClass() throws IOException {
    try (TargetNode node = open(Optional.empty())) {
      await(node.target().call(head(CallContext.background("test"))));
      await(node.target().call(head(CallContext.foreground("id", Optional.empty()))));
      await(node.target().call(head(CallContext.background("test"))));

      assertThat(count("tarn.target.calls", "traffic", "foreground")).isOne();
      assertThat(count("tarn.target.calls", "traffic", "background")).isEqualTo(2);
    }
  }

  @Test
  void traceparentReachesTheBackend() throws IOException {
    CompletableFuture<String> received = new CompletableFuture<>();
    HttpServer backend =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    backend.createContext(
        "/",
        exchange -> {
          received.complete(String.valueOf(exchange.getRequestHeaders().getFirst("traceparent")));
          exchange.sendResponseHeaders(404, -1);
          exchange.close();
        });
    backend.start();
    URI endpoint = URI.create("http://127.0.0.1:" + backend.getAddress().getPort());
    BackendSettings settings =
        new BackendSettings(Optional.of(endpoint), "us-east-1", "there", "", "id", "secret");
    try (TargetNode node = open(Optional.of(settings))) {
      CallContext traced =
          new CallContext("id", Optional.empty(), TrafficClass.FOREGROUND, Optional.of(TRACE));

      await(node.target().call(head(traced)));

      assertThat(received).isCompletedWithValue(TRACE);
    } finally {
      backend.stop(0);
    }
  }

  @Test
  void defectOfTheTargetIsAFailureWithAnIncident() {
    NodeCalls broken =
        callsOf(CompletableFuture.failedFuture(new IllegalStateException("a defect")));

    assertThat(await(broken.call(head(CallContext.UNNAMED), IncomingBody.EMPTY)))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.Bug.class));
  }
}
