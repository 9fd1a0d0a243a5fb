package dev.tarn.targetnode.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListRequest.ListVersions;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.VersionPage;
import dev.tarn.targetnode.NodeCalls;
import dev.tarn.targetnode.TargetNode;
import dev.tarn.targetnode.TargetNodeConfig;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.targetnode.membership.FixedView;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.memory.Chunks;
import dev.tarn.targetnode.store.read.ObjectReader;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.write.BodyWriting;
import dev.tarn.transport.body.DirectBuffers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A target that knows that a bucket is being deleted. */
@Timeout(60)
final class DeletedBucketTest {
  private static final BucketId ID = new BucketId(1);
  private static final Bucket KEPT =
      FixedView.bucket(ID, BucketSettings.PRIMARY, Versioning.ENABLED, 0);
  private static final Bucket DELETED =
      new Bucket(
          ID,
          KEPT.name(),
          KEPT.ownerId(),
          0,
          0,
          KEPT.settings(),
          KEPT.configuration(),
          Optional.of(new Bucket.Deletion(0, 0)));

  private final AtomicReference<Bucket> bucket = new AtomicReference<>(KEPT);
  private TargetNode node;
  private NodeCalls target;
  private Calls calls;

  @BeforeEach
  void open(@TempDir Path folder) throws IOException {
    node = TargetNode.open(TargetNodeConfig.of(folder), new FixedView(0, 0, id -> bucket.get()));
    CallJudge judge = new CallJudge(node.view());
    LocalTarget local =
        new LocalTarget(
            judge,
            node.disks(),
            new ObjectReader(new DirectBuffers(1 << 20), Runnable::run),
            new BodyWriting(new Chunks(1), Runnable::run),
            10);
    target = new NodeCalls(judge, local, local, new SimpleMeterRegistry());
    calls = new Calls(target, ID);
  }

  @AfterEach
  void close() throws IOException {
    node.close();
  }

  @Test
  void nothingIsAddedToABucketThatIsBeingDeletedAndWhatIsThereIsRead() {
    byte[] bytes = {1, 2, 3};
    Calls.value(calls.put("there", bytes));
    String upload = Calls.value(calls.create("open"));
    var part = Calls.value(calls.putPart("open", upload, 1, bytes));
    bucket.set(DELETED);

    isRefused(calls.put("new", bytes));
    isRefused(calls.copy("there", "new"));
    isRefused(calls.delete("there"));
    isRefused(calls.create("new"));
    isRefused(calls.complete("open", upload, List.of(part)));
    assertThat(Calls.value(calls.get("there"))).isEqualTo(bytes);

    bucket.set(KEPT);
    Calls.value(calls.complete("open", upload, List.of(part)));
    Calls.value(calls.put("new", bytes));
  }

  @Test
  void listingShowsAWriteThatWasDecidedBeforeTheDeletionWasKnown() {
    DiskStore store = ((Outcome.Success<DiskStore>) node.disks().storeOf(name())).value();
    CompletableFuture<Outcome<VersionPage>> listing = new CompletableFuture<>();
    store
        .commit(
            view -> {
              ObjectRecord decided =
                  ObjectRecord.first(metadata(view.nextVersion()), "", List.of());
              bucket.set(DELETED);
              CallScope scope = new CallScope(ID, 0, 0, CallContext.UNNAMED);
              target.call(new ListVersions(scope, "", "", "", "", 1)).thenAccept(listing::complete);
              return new Decision.Write<>(new LogEntry.ObjectStored(decided), true);
            },
            Durability.DEVICE)
        .toCompletableFuture()
        .join();

    assertThat(Calls.value(listing.join()).entries()).hasSize(1);
  }

  private static ObjectName name() {
    return new ObjectName(ID, ObjectKey.of("decided"));
  }

  private static ObjectMetadata metadata(ObjectVersion version) {
    return new ObjectMetadata(
        name(),
        version,
        false,
        false,
        0,
        "",
        List.of(),
        ObjectAttributes.NONE,
        version.clockMs(),
        List.of(),
        null);
  }

  private static void isRefused(Outcome<?> outcome) {
    assertThat(outcome)
        .isEqualTo(
            Outcome.failed(
                new Failure.Unavailable(
                    "Change was refused: the bucket is being deleted; retry later.")));
  }
}
