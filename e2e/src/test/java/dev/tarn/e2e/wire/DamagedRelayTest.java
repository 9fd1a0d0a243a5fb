package dev.tarn.e2e.wire;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.CurrentMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.Placement;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.cluster.target.TargetRequest.CreateUpload;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.UploadRequest.Complete;
import dev.tarn.cluster.target.UploadRequest.CompletedPart;
import dev.tarn.cluster.target.UploadRequest.CopyPart;
import dev.tarn.cluster.target.UploadRequest.ListParts;
import dev.tarn.cluster.target.UploadRequest.PutPart;
import dev.tarn.fixtures.MemoryControlPlane;
import dev.tarn.fixtures.target.BodyBytes;
import dev.tarn.fixtures.target.TestBody;
import dev.tarn.gateway.route.ClusterTarget;
import dev.tarn.gateway.route.Refresh;
import dev.tarn.targetnode.TargetNode;
import dev.tarn.targetnode.TargetNodeConfig;
import dev.tarn.targetnode.membership.ClusterView;
import dev.tarn.transport.server.RemoteTarget;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Copies between two owners, one in the gateway's process and one behind HTTP, of objects whose
 * bytes were damaged on their disk.
 */
final class DamagedRelayTest {
  private static final int EXTENT_HEADER_BYTES = 4096;
  private static final int BYTES = 5_500_000;
  private static final int DAMAGED_AT = 3_700_000;

  /** A range that begins in the damaged block, before the damage, and a range of sound blocks. */
  private static final Selection BESIDE = new Selection.Range(3 << 20, (3 << 20) + 9);

  private static final Selection SOUND = new Selection.Range(5, (3 << 20) - 1);

  private final Vertx vertx = Vertx.vertx();
  private final MemoryControlPlane control = new MemoryControlPlane();
  private final Path folder;
  private final TargetNode local;
  private final TargetNode remote;
  private final RemoteTarget served;
  private final CurrentMap map =
      new CurrentMap(
          ClusterMap.first(
              Stream.of("local", "remote")
                  .map(id -> MapTarget.ofEqualDisks(new TargetId(id), List.of(new DiskId(id))))
                  .toList()));
  private final ClusterTarget cluster;

  DamagedRelayTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    local = open("local");
    remote = open("remote");
    served = new RemoteTarget(vertx, remote.target());
    cluster =
        new ClusterTarget(
            map,
            member -> member.id().value().equals("local") ? local.target() : served.target(),
            (bucket, key) -> Slot.Keys.PRIMARY,
            Refresh.NONE,
            ForkJoinPool.commonPool(),
            Duration.ofMinutes(1));
  }

  private TargetNode open(String id) throws IOException {
    return TargetNode.open(
        TargetNodeConfig.of(folder.resolve(id)), ClusterView.of(control, () -> 1));
  }

  @BeforeEach
  void start() {
    served.start();
    control.submit(new Command.CreateUser(1, new User("owner", "owner", false)));
    control.submit(new Command.CreateBucket(1, "plain", "owner", BucketSettings.PRIMARY));
    BucketSettings verified = BucketSettings.PRIMARY.with(BucketSettings.Verify.ALWAYS);
    control.submit(new Command.CreateBucket(1, "verified", "owner", verified));
  }

  @AfterEach
  void stop() throws IOException {
    vertx.close().toCompletionStage().toCompletableFuture().join();
    local.close();
    remote.close();
  }

  @ParameterizedTest
  @CsvSource({"local, remote", "remote, local"})
  void copyOfADamagedExtentNamesItAndShowsNothing(String from, String to) throws IOException {
    String source = keyOf(from, "source-");
    String copy = keyOf(to, "copy-");
    put(source, BYTES);
    damage(from);

    isNamed(call(copyRequest(source, copy)), source, from);

    assertThat(call(get("plain", copy))).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
    awaitNoExtents(to);
  }

  @ParameterizedTest
  @CsvSource({"local, remote", "remote, local"})
  void copyOfADamagedRecordNamesItAndShowsNothing(String from, String to) throws IOException {
    String source = keyOf(from, "source-");
    String copy = keyOf(to, "copy-");
    put(source, 10_000);
    flip(files(from, ".segment").getFirst(), 5000);

    isNamed(call(copyRequest(source, copy)), source, from);

    assertThat(call(get("plain", copy))).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
  }

  @ParameterizedTest
  @CsvSource({"local, remote", "remote, local"})
  void copyOfADamagedPartNamesItAndShowsNothing(String from, String to) throws IOException {
    String source = keyOf(from, "source-");
    String copy = keyOf(to, "copy-");
    putInParts(source);
    damage(from);

    isNamed(call(copyRequest(source, copy)), source, from);

    assertThat(call(get("plain", copy))).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
    awaitNoExtents(to);
  }

  @ParameterizedTest
  @CsvSource({"local, remote", "remote, local"})
  void rangeIsCopiedIfItsBlocksAreSound(String from, String to) throws IOException {
    String source = keyOf(from, "source-");
    String key = keyOf(to, "parts-");
    put(source, BYTES);
    damage(from);
    String upload = value(call(create(key)));

    isNamed(call(copyPart(source, BESIDE, key, upload)), source, from);
    isNamed(call(copyPart(source, Selection.WHOLE, key, upload)), source, from);

    assertThat(value(call(new ListParts(scope("plain"), ObjectKey.of(key), upload, 0, 10))).parts())
        .isEmpty();
    assertThat(value(call(copyPart(source, SOUND, key, upload))).sizeBytes())
        .isEqualTo((3 << 20) - 5);
  }

  @ParameterizedTest
  @CsvSource({"local, remote", "remote, local"})
  void soundObjectsAreCopied(String from, String to) {
    String source = keyOf(from, "source-");
    String parts = keyOf(from, "in-parts-");
    ObjectMetadata put = put(source, BYTES);
    ObjectMetadata inParts = putInParts(parts);

    ObjectMetadata copy = value(call(copyRequest(source, keyOf(to, "copy-"))));
    ObjectMetadata copyOfParts = value(call(copyRequest(parts, keyOf(to, "copy-of-parts-"))));

    assertThat(copy.etag()).isEqualTo(put.etag());
    assertThat(copyOfParts.etag()).isEqualTo(inParts.etag());
    assertThat(read("plain", keyOf(to, "copy-"))).isEqualTo(bytes(BYTES));
  }

  @ParameterizedTest
  @CsvSource({"local", "remote"})
  void readOfADamagedExtentBreaksOffWhereTheBucketVerifies(String owner) throws IOException {
    String key = keyOf(owner, "source-");
    value(
        cluster
            .call(putRequest("verified", key), TestBody.of(bytes(BYTES)))
            .toCompletableFuture()
            .join());
    damage(owner);

    assertThatThrownBy(() -> read("verified", key)).hasRootCauseInstanceOf(IOException.class);
    isNamed(
        call(
            new Get(
                scope("verified"),
                ObjectKey.of(key),
                Optional.empty(),
                BESIDE,
                Preconditions.NONE)),
        key,
        owner);
  }

  private void isNamed(Outcome<?> outcome, String key, String owner) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed ->
                assertThat(failed.failure())
                    .isInstanceOfSatisfying(
                        Failure.Corrupt.class,
                        corrupt ->
                            assertThat(corrupt.message())
                                .contains(key, folder.resolve(owner).toString())));
  }

  /** A key with this prefix that this target owns, in both buckets. */
  private String keyOf(String owner, String prefix) {
    Placement placement = map.placement().orElseThrow();
    return IntStream.range(0, 1000)
        .mapToObj(i -> prefix + i)
        .filter(key ->
            Stream.of("plain", "verified")
                .allMatch(bucket ->
                    placement
                        .of(Slot.Keys.PRIMARY, scope(bucket).bucket(), ObjectKey.of(key))
                        .target()
                        .id()
                        .value()
                        .equals(owner)))
        .findFirst()
        .orElseThrow();
  }

  private ObjectMetadata put(String key, int length) {
    return value(
        cluster
            .call(putRequest("plain", key), TestBody.of(bytes(length)))
            .toCompletableFuture()
            .join());
  }

  private Put putRequest(String bucket, String key) {
    return new Put(
        scope(bucket), ObjectKey.of(key), ObjectAttributes.NONE, Set.of(), Preconditions.NONE);
  }

  private ObjectMetadata putInParts(String key) {
    String upload = value(call(create(key)));
    PutPart put = new PutPart(scope("plain"), ObjectKey.of(key), upload, 1, Set.of());
    ObjectPart part =
        value(cluster.call(put, TestBody.of(bytes(BYTES))).toCompletableFuture().join());
    return value(
        call(
            new Complete(
                scope("plain"),
                ObjectKey.of(key),
                upload,
                List.of(new CompletedPart(1, part.etag(), List.of())),
                OptionalLong.empty(),
                Optional.empty(),
                Preconditions.NONE)));
  }

  private CreateUpload create(String key) {
    return new CreateUpload(
        scope("plain"),
        ObjectKey.of(key),
        ObjectAttributes.NONE,
        Optional.empty(),
        Optional.empty());
  }

  private Copy copyRequest(String from, String to) {
    return new Copy(
        scope("plain"),
        ObjectKey.of(to),
        source(from),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Set.of(),
        Preconditions.NONE);
  }

  private CopyPart copyPart(String from, Selection selection, String key, String upload) {
    return new CopyPart(scope("plain"), ObjectKey.of(key), upload, 1, source(from), selection);
  }

  private CopySource source(String key) {
    return new CopySource(scope("plain"), ObjectKey.of(key), Optional.empty(), Preconditions.NONE);
  }

  private Get get(String bucket, String key) {
    return new Get(
        scope(bucket), ObjectKey.of(key), Optional.empty(), Selection.WHOLE, Preconditions.NONE);
  }

  private byte[] read(String bucket, String key) {
    ObjectRead read = value(call(get(bucket, key)));
    return BodyBytes.read(read.body());
  }

  private <R> Outcome<R> call(TargetRequest<R> request) {
    return cluster.call(request).toCompletableFuture().join();
  }

  private CallScope scope(String bucket) {
    Bucket found = requireNonNull(control.state().bucket(bucket), "no bucket " + bucket);
    return new CallScope(found.id(), found.settingsVersion(), 1, CallContext.UNNAMED);
  }

  private static <T> T value(Outcome<T> outcome) {
    return switch (outcome) {
      case Outcome.Success<T>(T value) -> value;
      case Outcome.Failed<T>(Failure failure) ->
          throw new AssertionError(failure + ": " + failure.message());
    };
  }

  private void damage(String owner) throws IOException {
    flip(extents(owner).getFirst(), EXTENT_HEADER_BYTES + DAMAGED_AT);
  }

  /** A target behind HTTP drops what it received after the gateway has broken off and answered. */
  private void awaitNoExtents(String owner) throws IOException {
    while (!hasNoExtents(owner)) {
      Thread.onSpinWait();
    }
  }

  private boolean hasNoExtents(String owner) throws IOException {
    try {
      return extents(owner).isEmpty();
    } catch (UncheckedIOException e) {
      return false; // A file was dropped while the folder was listed.
    }
  }

  private List<Path> extents(String owner) throws IOException {
    return files(owner, ".extent");
  }

  private List<Path> files(String owner, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve(owner))) {
      return files.filter(file -> file.toString().endsWith(ending)).toList();
    }
  }

  private static void flip(Path file, int position) throws IOException {
    try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
      opened.seek(position);
      int before = opened.read();
      opened.seek(position);
      opened.write(before ^ 1);
    }
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }
}
