package dev.tarn.transport.server;

import static dev.tarn.cluster.wire.WireVersions.OVER_TLS;
import static dev.tarn.cluster.wire.WireVersions.SPOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.Grant;
import dev.tarn.cluster.codec.VersionRange;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.Answerer;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.cluster.wire.WireVersions;
import dev.tarn.fixtures.target.TestBody;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.transport.relay.HttpTarget;
import dev.tarn.transport.relay.PatientClients;
import dev.tarn.transport.relay.TargetReports;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Callers and targets of neighbouring releases, over a real connection. */
class WireVersionsTest {
  private static final VersionRange OLDER = WireVersions.UNANNOUNCED;
  private static final VersionRange NEWER = new VersionRange(SPOKEN.max(), SPOKEN.max() + 1);
  private static final VersionRange FAR = new VersionRange(40, 41);
  private static final CallScope SCOPE = new CallScope(new BucketId(1), 1, 1, CallContext.UNNAMED);
  private static final ObjectKey KEY = ObjectKey.of("key");

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void stop() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private TargetAddress serve(VersionRange spoken, ObjectTarget target) {
    RemoteTarget remote = new RemoteTarget(vertx, target, spoken);
    remote.start();
    return remote.address();
  }

  private ObjectTarget caller(TargetAddress address, VersionRange announced, VersionRange spoken) {
    return new HttpTarget(
        PatientClients.plain(vertx), address, RemoteTarget.CAPABILITIES, () -> announced, spoken);
  }

  private static Outcome<ObjectMetadata> put(ObjectTarget target) {
    return target
        .call(
            new Put(SCOPE, KEY, ObjectAttributes.NONE, Set.of(), Preconditions.NONE),
            TestBody.of("bytes"))
        .toCompletableFuture()
        .join();
  }

  private static Failure headFailure(ObjectTarget target) {
    Outcome<ObjectHead> outcome =
        target.call(Head.ofWhole(SCOPE, KEY, Optional.empty())).toCompletableFuture().join();
    return ((Outcome.Failed<ObjectHead>) outcome).failure();
  }

  @Test
  void neighbouringReleasesWorkTogether() {
    for (VersionRange target : new VersionRange[] {OLDER, SPOKEN, NEWER}) {
      for (VersionRange caller : new VersionRange[] {OLDER, SPOKEN, NEWER}) {
        TargetAddress address = serve(target, new MemoryTarget());
        if (caller.newestShared(target).isPresent()) {
          assertThat(put(caller(address, target, caller))).isInstanceOf(Outcome.Success.class);
        }
      }
    }
  }

  @Test
  void callWithoutASharedVersionIsRefusedWithBothRanges() {
    TargetAddress address = serve(FAR, new MemoryTarget());

    assertThat(headFailure(caller(address, FAR, SPOKEN)))
        .isEqualTo(
            new Failure.Unavailable(
                "Call failed: the target at "
                    + address
                    + " speaks the wire versions 40 to 41, this process 2 to 5; update this"
                    + " process."));
  }

  @Test
  void callerOfAReleaseWithoutTlsIsToldToUpdate() {
    VersionRange withoutTls = new VersionRange(2, 3);

    assertThat(headFailure(caller(new TargetAddress("127.0.0.1", 1), OVER_TLS, withoutTls)))
        .isEqualTo(
            new Failure.Unavailable(
                "Call failed: the target at 127.0.0.1:1 speaks the wire versions 4 to 5, this"
                    + " process 2 to 3; update this process."));
  }

  @Test
  void targetRefusesAVersionThatItDoesNotSpeak() {
    TargetAddress replaced = serve(OLDER, new MemoryTarget());

    assertThat(headFailure(caller(replaced, SPOKEN, SPOKEN)))
        .isEqualTo(
            new Failure.Unavailable(
                "Call failed: it has wire version 5, this target speaks 2; update the target or"
                    + " retry."));
  }

  @Test
  void targetThatKnowsNoStandInsIsNotAskedToBeOne() {
    VersionRange former = new VersionRange(2, 4);
    TargetAddress address = serve(former, new MemoryTarget());
    Head standIns = Head.ofWhole(SCOPE, KEY, Optional.empty()).answeredBy(Answerer.STAND_IN);

    Outcome<ObjectHead> outcome =
        caller(address, former, SPOKEN).call(standIns).toCompletableFuture().join();

    assertThat(outcome)
        .isEqualTo(
            Outcome.failed(
                new Failure.Unavailable(
                    "Call failed: the target at "
                        + address
                        + " cannot stand in for another one; update it.")));
  }

  @Test
  void newerCallerCanReadTheRefusalOfAnOlderTarget() {
    TargetAddress address = serve(new VersionRange(2, 3), new MemoryTarget());
    VersionRange caller = new VersionRange(3, 4);

    assertThat(headFailure(caller(address, caller, caller)))
        .isEqualTo(
            new Failure.Unavailable(
                "Call failed: it has wire version 4, this target speaks 2 to 3; update the target"
                    + " or retry."));
  }

  @Test
  void callerWithoutASharedVersionIsToldTheVersionOfTheAnswer() {
    TargetAddress address = serve(new VersionRange(2, 3), new MemoryTarget());
    VersionRange caller = new VersionRange(4, 4);

    assertThat(headFailure(caller(address, caller, caller)))
        .isInstanceOf(Failure.Unavailable.class)
        .extracting(Failure::message)
        .asString()
        .contains("3", "4");
  }

  @Test
  void reportWithoutASharedVersionIsRefusedWithBothRanges() throws Exception {
    TargetAddress address = serve(FAR, new MemoryTarget());
    Capabilities capabilities = RemoteTarget.CAPABILITIES;
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://" + address.host() + ":" + address.port() + HttpBinding.REPORT_PATH))
            .header(
                HttpBinding.CAPABILITY_HEADER,
                capabilities.issue(Grant.ofReport(), Duration.ofMinutes(1)))
            .header(HttpBinding.VERSIONS_HEADER, SPOKEN.text())
            .POST(BodyPublishers.noBody())
            .build();

    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(response.body())
          .isEqualTo(
              "Report failed: the caller speaks the wire versions 2 to 5, this process 40 to 41;"
                  + " update the caller.\n");
    }
    assertThatThrownBy(
            new TargetReports(vertx, capabilities, target -> Optional.empty())
                    .report(address)
                    .toCompletableFuture()
                ::join)
        .hasRootCauseMessage(
            "it answered with status 400: Report failed: the caller speaks the wire versions 2 to"
                + " 5, this process 40 to 41; update the caller.");
  }

  @Test
  void olderCallerIsToldOfADeadlineInAFailureThatItKnows() {
    Failure late = new Failure.DeadlinePassed(7);
    TargetAddress address = serve(SPOKEN, new Refusing(late));

    assertThat(headFailure(caller(address, SPOKEN, SPOKEN))).isEqualTo(late);
    assertThat(headFailure(caller(address, SPOKEN, OLDER)))
        .isEqualTo(new Failure.Overloaded(late.message()));
  }

  private record Refusing(Failure failure) implements ObjectTarget {
    @Override
    public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
      return CompletableFuture.completedFuture(Outcome.failed(failure));
    }
  }
}
