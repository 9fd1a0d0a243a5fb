package dev.tarn.e2e.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.capability.ReadTicket;
import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketChange;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.control.remote.Audience;
import dev.tarn.cluster.control.remote.RemoteControlPlane;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListRequest.ListObjects;
import dev.tarn.cluster.target.ListRequest.ListVersions;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.VersionPage;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.fixtures.LoopbackTransport;
import dev.tarn.fixtures.MemoryControlPlane;
import dev.tarn.fixtures.target.TestBody;
import dev.tarn.targetnode.TargetNode;
import dev.tarn.targetnode.TargetNodeConfig;
import dev.tarn.targetnode.local.NodeDisk;
import dev.tarn.targetnode.membership.Member;
import dev.tarn.transport.relay.HttpTarget;
import dev.tarn.transport.relay.PatientClients;
import dev.tarn.transport.server.RemoteTarget;
import dev.tarn.transport.server.TargetServer;
import dev.tarn.transport.server.TargetServerConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A target that follows a control node: it catches up before it judges, and serves as a member. */
final class MemberTargetTest {
  private static final TargetId ID = new TargetId("t1");
  private static final TargetId OTHER = new TargetId("t2");
  private static final byte[] LARGE = "0123456789abcdef".repeat(200_000).getBytes(UTF_8);

  @TempDir private Path folder;
  private final Vertx vertx = Vertx.vertx();
  private final MemoryControlPlane control = new MemoryControlPlane();
  private final LoopbackTransport transport = new LoopbackTransport(control);
  private RemoteControlPlane followed;
  private TargetNode node;
  private ObjectTarget target;
  private TargetAddress address;

  @BeforeEach
  void start() throws IOException {
    submit(new Command.CreateUser(1, new User("owner", "owner", false)));
    followed = transport.member(folder.resolve("control"), Audience.TARGET);
    node =
        TargetNode.open(
            TargetNodeConfig.of(folder, List.of(folder.resolve("d0"), folder.resolve("d1"))),
            () -> Member.mapEpoch(followed),
            disks -> new Member(ID, disks, followed),
            new SimpleMeterRegistry());
    TargetServer server =
        TargetServer.start(
                vertx,
                TargetServerConfig.LOCAL,
                RemoteTarget.services(node.target()),
                RemoteTarget.CAPABILITIES)
            .toCompletableFuture()
            .join();
    address = new TargetAddress("127.0.0.1", server.port());
    target = new HttpTarget(PatientClients.plain(vertx), address, RemoteTarget.CAPABILITIES);
  }

  @AfterEach
  void stop() throws IOException {
    vertx.close().toCompletionStage().toCompletableFuture().join();
    node.close();
    followed.close();
  }

  @Test
  void bucketMadeWhileNobodyToldTheTargetIsServed() {
    join(disks());
    transport.setAway(true);
    Bucket bucket = makeBucket("new");
    transport.setAway(false);

    assertThat(put(scope(bucket), LARGE)).isInstanceOf(Outcome.Success.class);
    assertThat(head(scope(bucket))).isInstanceOf(Outcome.Success.class);
  }

  @Test
  void versioningThatNobodyToldTheTargetOfIsObeyedByTheFirstCallThatKnows() {
    join(disks());
    Bucket bucket = makeBucket("kept");
    assertThat(put(scope(bucket), LARGE)).isInstanceOf(Outcome.Success.class);

    transport.setAway(true);
    submit(
        new Command.ConfigureBucket(
            1, "kept", bucket.id(), new BucketChange.SetVersioning(Versioning.ENABLED)));
    transport.setAway(false);
    Bucket changed = requireNonNull(control.state().bucket("kept"), "gone");

    assertThat(put(scope(changed), LARGE)).isInstanceOf(Outcome.Success.class);
    ListVersions request = new ListVersions(scope(changed), "", "", "", "", 10);
    Outcome<VersionPage> versions = target.call(request).toCompletableFuture().join();
    assertThat(((Outcome.Success<VersionPage>) versions).value().entries())
        .map(entry -> ((VersionPage.VersionEntry) entry).nullVersion())
        .containsExactly(false, true);
  }

  @Test
  void ticketEndsWhereTheSettingsOfItsBucketChange() throws Exception {
    join(disks());
    Bucket bucket = makeBucket("kept");
    assertThat(put(scope(bucket), LARGE)).isInstanceOf(Outcome.Success.class);
    String ticket = ticket(bucket);
    assertThat(statusOfARead(ticket)).isEqualTo(200);

    submit(
        new Command.ConfigureBucket(
            1, "kept", bucket.id(), new BucketChange.SetVersioning(Versioning.ENABLED)));
    Bucket changed = requireNonNull(control.state().bucket("kept"), "gone");
    assertThat(put(scope(changed), LARGE)).isInstanceOf(Outcome.Success.class);

    assertThat(statusOfARead(ticket)).isEqualTo(503);
    assertThat(statusOfARead(ticket(changed))).isEqualTo(200);
  }

  private String ticket(Bucket bucket) {
    Get read =
        new Get(
            scope(bucket),
            ObjectKey.of("key"),
            Optional.empty(),
            Selection.WHOLE,
            Preconditions.NONE);
    return ReadTicket.issue(RemoteTarget.CAPABILITIES, read).text();
  }

  private int statusOfARead(String ticket) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address + HttpBinding.READ_PATH))
            .header(HttpBinding.TICKET_HEADER, ticket)
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
  }

  @Test
  void whileTheControlNodeIsAwayWhatIsKnownIsServedAndWhatIsNotIsUnavailable() {
    join(disks());
    Bucket known = makeBucket("known");
    assertThat(put(scope(known), LARGE)).isInstanceOf(Outcome.Success.class);

    transport.setAway(true);
    Bucket unknown = makeBucket("unknown");
    changeAllSlots();
    CallScope newSettings =
        new CallScope(known.id(), control.state().version(), epoch() - 1, CallContext.UNNAMED);
    CallScope newMap =
        new CallScope(known.id(), known.settingsVersion(), epoch(), CallContext.UNNAMED);

    assertThat(
            head(
                new CallScope(
                    known.id(), known.settingsVersion(), epoch() - 1, CallContext.UNNAMED)))
        .isInstanceOf(Outcome.Success.class);
    CallScope newBucket =
        new CallScope(unknown.id(), unknown.settingsVersion(), epoch() - 1, CallContext.UNNAMED);
    isUnavailable(put(newBucket, LARGE), "Settings of the bucket are unknown to this target");
    isUnavailable(head(newSettings), "Settings of the bucket are unknown to this target");
    isUnavailable(
        put(newMap, LARGE), "in which the key moved in epoch 2; the target knows epoch 1");

    transport.setAway(false);
    assertThat(head(newMap)).isInstanceOf(Outcome.Success.class);
    assertThat(put(scope(unknown), LARGE)).isInstanceOf(Outcome.Success.class);
  }

  @Test
  void callUnderAnOlderMapIsToldTheEpoch() {
    join(disks());
    Bucket bucket = makeBucket("images");
    changeAllSlots();
    assertThat(put(scope(bucket), LARGE)).isInstanceOf(Outcome.Success.class);

    assertThat(
            failure(
                head(
                    new CallScope(
                        bucket.id(), bucket.settingsVersion(), epoch() - 1, CallContext.UNNAMED))))
        .isEqualTo(new Failure.StaleMap(epoch()));
  }

  @Test
  void changeOfTheMapThatDoesNotChangeTheSlotConcernsNoCall() {
    join(disks());
    CallScope before = scope(makeBucket("images"));
    announce(ID, "127.0.0.1:7001", disks());
    assertThat(epoch()).isEqualTo(2);
    assertThat(followed.refresh().toCompletableFuture().join()).isTrue();
    assertThat(put(before, LARGE)).isInstanceOf(Outcome.Success.class);
  }

  @Test
  void bucketThatIsGoneIsUnknownRatherThanEmpty() {
    join(disks());
    Bucket bucket = makeBucket("images");
    assertThat(put(scope(bucket), LARGE)).isInstanceOf(Outcome.Success.class);
    submit(new Command.DeleteBucket(1, "images", Optional.empty()));
    assertThat(followed.refresh().toCompletableFuture().join()).isTrue();

    assertThat(failure(head(scope(bucket))))
        .isEqualTo(new Failure.UnknownSettings(control.state().version()));
  }

  @Test
  void targetThatListsUnderADeletionTakesNoWriteOfAGatewayThatDoesNotKnowTheDeletion() {
    join(disks());
    Bucket bucket = makeBucket("images");
    assertThat(list(scope(bucket))).isInstanceOf(Outcome.Success.class);
    transport.setAway(true);
    submit(new Command.BeginDeletion(1, "images", bucket.id()));
    transport.setAway(false);

    Bucket marked = requireNonNull(control.state().bucket("images"), "gone");
    assertThat(list(scope(marked))).isInstanceOf(Outcome.Success.class);
    isUnavailable(put(scope(bucket), LARGE), "the bucket is being deleted");

    long deletion = marked.deletion().orElseThrow().version();
    submit(new Command.KeepBucket(1, "images", bucket.id(), deletion));
    Bucket kept = requireNonNull(control.state().bucket("images"), "gone");
    assertThat(put(scope(kept), LARGE)).isInstanceOf(Outcome.Success.class);
  }

  @Test
  void targetServesNothingBeforeThereIsAMap() {
    Bucket bucket = makeBucket("images");
    CallScope scope = new CallScope(bucket.id(), bucket.settingsVersion(), 0, CallContext.UNNAMED);
    isUnavailable(head(scope), "t1 knows no cluster map yet");
    isUnavailable(put(scope, LARGE), "t1 knows no cluster map yet");
    isUnavailable(list(scope), "t1 knows no cluster map yet");
  }

  @Test
  void targetThatTheMapDoesNotListServesNothing() {
    announce(OTHER, "127.0.0.1:7002", List.of(new DiskId("elsewhere")));
    submit(new Command.SetMembers(1, Set.of(OTHER)));
    CallScope scope = scope(makeBucket("images"));

    isUnavailable(head(scope), "t1 is not in the cluster map of epoch 1");
    isUnavailable(put(scope, LARGE), "t1 is not in the cluster map of epoch 1");
    isUnavailable(list(scope), "t1 is not in the cluster map of epoch 1");
  }

  @Test
  void targetWithoutADiskThatTheMapNamesServesNothing() {
    join(Stream.concat(disks().stream(), Stream.of(new DiskId("lost"))).toList());
    CallScope scope = scope(makeBucket("images"));

    isUnavailable(head(scope), "names disk lost of the target t1, which is not there");
    isUnavailable(list(scope), "names disk lost of the target t1, which is not there");
  }

  @Test
  void targetWithADiskThatTheMapDoesNotNameServesNothingUntilItDoes() {
    join(disks().subList(0, 1));
    CallScope before = scope(makeBucket("images"));
    isUnavailable(put(before, LARGE), "t1 has 2 disks, of which the cluster map names 1");

    submit(new Command.DeleteBucket(1, "images", Optional.empty()));
    join(disks());
    assertThat(put(scope(makeBucket("images")), LARGE)).isInstanceOf(Outcome.Success.class);
  }

  private List<DiskId> disks() {
    return node.disks().all().stream().map(NodeDisk::id).toList();
  }

  private void join(List<DiskId> disks) {
    announce(ID, "127.0.0.1:7000", disks);
    submit(new Command.SetMembers(1, Set.of(ID)));
  }

  private void announce(TargetId id, String address, List<DiskId> disks) {
    submit(
        new Command.AnnounceTarget(
            1,
            new AnnouncedTarget(
                id,
                List.of(TargetAddress.parse(address)),
                disks.stream().map(disk -> new AnnouncedTarget.Disk(disk, 1L << 30)).toList())));
  }

  private Bucket makeBucket(String name) {
    submit(new Command.CreateBucket(1, name, "owner", BucketSettings.PRIMARY));
    return requireNonNull(control.state().bucket(name), "not made");
  }

  private void submit(Command command) {
    assertThat(control.submit(command).toCompletableFuture().join())
        .isInstanceOf(CommandOutcome.Applied.class);
  }

  /** A change that may have been lost: nobody knows which slots it changed. */
  private void changeAllSlots() {
    submit(new Command.Restore(1, control.state().version() + 1));
  }

  private long epoch() {
    return control.state().map().map(ClusterMap::epoch).orElse(0L);
  }

  private CallScope scope(Bucket bucket) {
    return new CallScope(bucket.id(), bucket.settingsVersion(), epoch(), CallContext.UNNAMED);
  }

  private Outcome<ObjectMetadata> put(CallScope scope, byte[] bytes) {
    Put request =
        new Put(scope, ObjectKey.of("key"), ObjectAttributes.NONE, Set.of(), Preconditions.NONE);
    return target.call(request, TestBody.of(bytes)).toCompletableFuture().join();
  }

  private Outcome<ObjectHead> head(CallScope scope) {
    Head request =
        new Head(scope, ObjectKey.of("key"), Optional.empty(), Selection.WHOLE, Preconditions.NONE);
    return target.call(request).toCompletableFuture().join();
  }

  private Outcome<ListPage> list(CallScope scope) {
    return target.call(new ListObjects(scope, "", "", "", 10)).toCompletableFuture().join();
  }

  private static Failure failure(Outcome<?> outcome) {
    return ((Outcome.Failed<?>) outcome).failure();
  }

  private static void isUnavailable(Outcome<?> outcome, String reason) {
    assertThat(failure(outcome))
        .isInstanceOfSatisfying(
            Failure.Unavailable.class,
            unavailable -> assertThat(unavailable.message()).contains(reason));
  }
}
