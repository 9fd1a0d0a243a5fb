package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.Answerer;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.fixtures.s3.Dialect;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.targetnode.TargetNode;
import dev.tarn.targetnode.TargetNodeConfig;
import dev.tarn.targetnode.backend.Backends;
import dev.tarn.targetnode.local.BytesBody;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.membership.MovingSlots;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a target believes of its cache when slots leave it and come back: another target may have
 * written the objects meanwhile.
 */
final class BeliefTest {
  private static final BucketId BUCKET = new BucketId(1);
  private static final TargetId SELF = new TargetId("self");
  private static final TargetId NEXT = new TargetId("next");
  private static final byte[] OLD = "old".getBytes(UTF_8);
  private static final byte[] NEW = "the new one".getBytes(UTF_8);
  private static final int LARGE = 1 << 20;

  private final SmallS3 other = SmallS3.start(Dialect.MINIO);
  private final BackendSettings settings = GatedBackend.settings(other);
  private final GatedBackend backend = GatedBackend.of(settings);
  private volatile ClusterMap map =
      ClusterMap.first(
          List.of(
              MapTarget.ofEqualDisks(SELF, List.of(new DiskId("disk-a"))),
              MapTarget.ofEqualDisks(NEXT, List.of(new DiskId("disk-b")))));
  private volatile Freshness freshness = Freshness.IMMUTABLE;
  private TargetNode node;

  @BeforeEach
  void open(@TempDir Path folder) throws IOException {
    node =
        TargetNode.open(
            TargetNodeConfig.of(folder),
            new MovingSlots(SELF, () -> map, this::bucket),
            new Backends(any -> backend));
  }

  @AfterEach
  void close() throws IOException {
    node.close();
    other.close();
  }

  private BucketSettings bucket() {
    return BucketSettings.PRIMARY
        .with(Durability.OS)
        .withBackend(Optional.of(settings))
        .with(freshness);
  }

  private static Stream<Freshness> believed() {
    return Stream.of(Freshness.IMMUTABLE, Freshness.ttl(Duration.ofDays(1)));
  }

  @ParameterizedTest
  @MethodSource("believed")
  void entryOfASlotThatLeftAndCameBackIsConfirmedFirst(Freshness given) {
    freshness = given;
    String key = ownKey();
    there(key, OLD);
    assertThat(get(key)).isEqualTo(OLD);
    leave();
    there(key, NEW);
    comeBack();

    assertThat(value(Calls.await(node.target().call(head(key)))).metadata().sizeBytes())
        .isEqualTo(NEW.length);
    assertThat(get(key)).isEqualTo(NEW);
  }

  @ParameterizedTest
  @MethodSource("believed")
  void entryThatIsConfirmedOnceIsBelievedFromThenOn(Freshness given) {
    freshness = given;
    String key = ownKey();
    byte[] large = new byte[LARGE];
    Arrays.fill(large, (byte) 7);
    for (byte[] bytes : List.of(OLD, large)) {
      there(key, bytes);
      leave();
      comeBack();
      assertThat(get(key)).isEqualTo(bytes);
      leave();
      comeBack();
      assertThat(get(key)).isEqualTo(bytes);
      int asked = asked();

      assertThat(get(key)).isEqualTo(bytes);
      assertThat(value(Calls.await(node.target().call(head(key)))).metadata().sizeBytes())
          .isEqualTo(bytes.length);
      assertThat(asked()).as("questions to the backend").isEqualTo(asked);
    }
  }

  @Test
  void confirmedBytesAreNotReadAgain() {
    String key = ownKey();
    there(key, new byte[LARGE]);
    get(key);
    leave();
    comeBack();
    int reads = backend.rangesRead().size();

    get(key);
    assertThat(backend.rangesRead()).hasSize(reads);
  }

  @Test
  void changeOfOtherSlotsAsksNothing() {
    String key = ownKey();
    there(key, OLD);
    get(key);
    long since = since(key);
    map = map.adding(MapTarget.ofEqualDisks(new TargetId("n"), List.of(new DiskId("d"))), 0);
    int asked = asked();

    assertThat(since(key)).as("the key's slot stays").isEqualTo(since);
    assertThat(get(key)).isEqualTo(OLD);
    assertThat(asked()).isEqualTo(asked);
  }

  @Test
  void nothingOldIsServedWhileTheBackendIsAway() {
    freshness = Freshness.REVALIDATE;
    String key = ownKey();
    there(key, OLD);
    get(key);
    leave();
    there(key, NEW);
    comeBack();
    backend.goDown();

    assertThat(Calls.await(node.target().call(read(key)))).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void fetchThatBeganBeforeTheSlotLeftIsNotBelievedAfterwards() throws Exception {
    String key = ownKey();
    there(key, OLD);
    CountDownLatch gate = new CountDownLatch(1);
    backend.hold(0, gate);
    CompletionStage<Outcome<ObjectRead>> before = node.target().call(read(key));
    backend.awaitHeld();
    leave();
    there(key, NEW);
    comeBack();
    backend.release();
    gate.countDown();

    assertThat(value(Calls.await(before).map(Calls::read))).isIn(OLD, NEW);
    assertThat(get(key)).isEqualTo(NEW);
  }

  @Test
  void whatAStandInKeptIsNotBelievedWhenTheSlotComes() {
    leave();
    String key = anyKey();
    there(key, OLD);
    CallScope scope = scope(key).answeredBy(Answerer.STAND_IN);
    assertThat(value(Calls.await(node.target().call(read(scope, key))).map(Calls::read)))
        .isEqualTo(OLD);
    there(key, NEW);
    comeBack();

    assertThat(get(key)).isEqualTo(NEW);
  }

  @Test
  void writeIsNotReportedAsDoneIfTheSlotLeavesBeforeTheBackendAnswers() {
    String key = ownKey();
    backend.afterChange(this::leave);
    assertDoubtful(
        Calls.await(
            node.target()
                .call(
                    new TargetRequest.Put(
                        scope(key),
                        ObjectKey.of(key),
                        ObjectAttributes.NONE,
                        Set.of(),
                        Preconditions.NONE),
                    new BytesBody(OLD))));
    backend.afterChange(this::comeBack);
    there(key, NEW);

    assertThat(get(key)).isEqualTo(NEW);
    backend.afterChange(() -> {
      leave();
      comeBack();
    });
    assertDoubtful(
        Calls.await(
            node.target()
                .call(
                    new TargetRequest.Delete(
                        scope(key), ObjectKey.of(key), Optional.empty(), Preconditions.NONE))));
  }

  @Test
  void copyAndEndOfAnUploadAreNotReportedAsDoneEither() {
    String key = ownKey();
    there(key, OLD);
    ObjectKey name = ObjectKey.of(key);
    CallScope scope = scope(key);
    String upload =
        value(
            Calls.await(
                node.target()
                    .call(
                        new TargetRequest.CreateUpload(
                            scope,
                            name,
                            ObjectAttributes.NONE,
                            Optional.empty(),
                            Optional.empty()))));
    String etag =
        value(
                Calls.await(
                    node.target()
                        .call(
                            new UploadRequest.PutPart(scope, name, upload, 1, Set.of()),
                            new BytesBody(NEW))))
            .etag();
    backend.afterChange(() -> {
      leave();
      comeBack();
    });
    assertDoubtful(
        Calls.await(
            node.target()
                .call(
                    new TargetRequest.Copy(
                        scope,
                        name,
                        new TargetRequest.CopySource(
                            scope, name, Optional.empty(), Preconditions.NONE),
                        Optional.of(ObjectAttributes.NONE),
                        Optional.empty(),
                        Map.of(),
                        Set.of(),
                        Preconditions.NONE))));
    assertDoubtful(
        Calls.await(
            node.target()
                .call(
                    new UploadRequest.Complete(
                        scope(key),
                        name,
                        upload,
                        List.of(new UploadRequest.CompletedPart(1, etag, List.of())),
                        OptionalLong.empty(),
                        Optional.empty(),
                        Preconditions.NONE))));
  }

  private static void assertDoubtful(Outcome<?> outcome) {
    assertThat(outcome)
        .isEqualTo(
            Outcome.failed(
                new Failure.Unavailable(
                    "Outcome of the write is unknown: the key moved to another target, or the"
                        + " bucket was removed, before the backend answered; read the object, then"
                        + " write again.")));
  }

  private void leave() {
    map = map.takingOut(SELF, 0).confirmingOut(SELF, 0);
  }

  private void comeBack() {
    map = map.takingIn(SELF, 0);
  }

  /** How often the backend was asked about objects. */
  private int asked() {
    return backend.heads() + backend.rangesRead().size();
  }

  /** Puts an object into the backend, as another target does. */
  private void there(String key, byte[] bytes) {
    backend.put(
        ObjectKey.of(key),
        ObjectAttributes.NONE,
        new ByteArrayInputStream(bytes),
        bytes.length,
        Preconditions.NONE);
  }

  private byte[] get(String key) {
    return value(Calls.await(node.target().call(read(key))).map(Calls::read));
  }

  private TargetRequest.Get read(String key) {
    return read(scope(key), key);
  }

  private static TargetRequest.Get read(CallScope scope, String key) {
    return new TargetRequest.Get(
        scope, ObjectKey.of(key), Optional.empty(), Selection.WHOLE, Preconditions.NONE);
  }

  private TargetRequest.Head head(String key) {
    return TargetRequest.Head.ofWhole(scope(key), ObjectKey.of(key), Optional.empty());
  }

  private CallScope scope(String key) {
    return new CallScope(BUCKET, 0, since(key), CallContext.UNNAMED);
  }

  private long since(String key) {
    return map.slots().of(BUCKET, ObjectKey.of(key)).owner().since();
  }

  /** A key of this target that stays when a third one joins. */
  private String ownKey() {
    ClusterMap larger =
        map.adding(MapTarget.ofEqualDisks(new TargetId("n"), List.of(new DiskId("d"))), 0);
    return IntStream.range(0, 1000)
        .mapToObj(i -> "key" + i)
        .filter(key -> isOwn(map, key) && isOwn(larger, key))
        .findFirst()
        .orElseThrow();
  }

  /** A key that this target gets when it is taken in. */
  private String anyKey() {
    ClusterMap with = map.takingIn(SELF, 0);
    return IntStream.range(0, 1000)
        .mapToObj(i -> "key" + i)
        .filter(key -> !isOwn(map, key) && isOwn(with, key))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isOwn(ClusterMap map, String key) {
    return map.slots().of(BUCKET, ObjectKey.of(key)).owner().target().equals(SELF);
  }
}
