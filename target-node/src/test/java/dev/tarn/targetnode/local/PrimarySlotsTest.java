package dev.tarn.targetnode.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.targetnode.TargetNode;
import dev.tarn.targetnode.TargetNodeConfig;
import dev.tarn.targetnode.membership.FixedView;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The slots that a node must not give away, because primary data are in them. */
final class PrimarySlotsTest {
  private static final BucketId BUCKET = new BucketId(1);
  private static final BucketId CACHED = new BucketId(2);
  private static final byte[] BYTES = new byte[100];

  @TempDir private Path directory;

  /** Buckets that were primary when they got their objects. */
  private final Set<BucketId> cached = new HashSet<>();

  private TargetNode node;
  private Calls calls;

  @BeforeEach
  void open() throws IOException {
    node =
        TargetNode.open(
            TargetNodeConfig.of(directory),
            new FixedView(
                0, 0, bucket -> FixedView.bucket(bucket, settings(bucket), Versioning.OFF, 0)));
    calls = new Calls(node.target(), BUCKET);
  }

  @AfterEach
  void close() throws IOException {
    node.close();
  }

  private BucketSettings settings(BucketId bucket) {
    return cached.contains(bucket)
        ? BucketSettings.PRIMARY.withBackend(
            Optional.of(
                new BackendSettings(
                    Optional.of(URI.create("http://127.0.0.1:1")),
                    "us-east-1",
                    "bucket",
                    "",
                    "",
                    "")))
        : BucketSettings.PRIMARY;
  }

  @Test
  void slotsOfObjectsAndOpenUploadsAreInUseAndNoOthers() throws IOException {
    assertThat(node.disks().primarySlotsInUse()).isEmpty();
    calls.put("a", BYTES);
    calls.put("zeros\0\0and\0", BYTES);
    calls.create("upload");
    calls.put("deleted", BYTES);
    calls.delete("deleted");
    assertThat(node.disks().primarySlotsInUse()).isEqualTo(slots("a", "zeros\0\0and\0", "upload"));
  }

  @Test
  void slotOfAnUploadThatEndedIsFree() throws IOException {
    String upload = ((Outcome.Success<String>) calls.create("upload")).value();
    assertThat(node.disks().primarySlotsInUse()).isEqualTo(slots("upload"));
    CallScope scope = new CallScope(BUCKET, 0, 0, CallContext.UNNAMED);
    Calls.await(node.target().call(new UploadRequest.Abort(scope, ObjectKey.of("upload"), upload)));
    assertThat(node.disks().primarySlotsInUse()).isEmpty();
  }

  @Test
  void whatIsCachedKeepsNoSlot() throws IOException {
    new Calls(node.target(), CACHED).put("a", BYTES);
    assertThat(node.disks().primarySlotsInUse()).hasSize(1);
    cached.add(CACHED);
    assertThat(node.disks().primarySlotsInUse()).isEmpty();
  }

  private static Set<Integer> slots(String... keys) {
    return Stream.of(keys)
        .map(key -> Slot.of(BUCKET, ObjectKey.of(key)))
        .collect(Collectors.toSet());
  }
}
