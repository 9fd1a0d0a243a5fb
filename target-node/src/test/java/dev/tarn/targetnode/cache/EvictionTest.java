package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.Evicted;
import dev.tarn.cluster.target.ListRequest.Evict;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutdatedKey;
import dev.tarn.fixtures.s3.Dialect;
import dev.tarn.fixtures.s3.Received;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.targetnode.TargetNode;
import dev.tarn.targetnode.TargetNodeConfig;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.membership.FixedView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cached bytes are dropped on request, and nothing else. */
class EvictionTest {
  private static final int UNIT = 8 << 20;

  private final Path folder;
  private final SmallS3 other = SmallS3.start(Dialect.R2);
  private final BackedNode bucket;
  private final Calls calls;

  EvictionTest(@TempDir Path folder) {
    this.folder = folder;
    bucket = new BackedNode(folder.resolve("cached"), other, "");
    bucket.freshness(Freshness.IMMUTABLE);
    calls = bucket.calls();
  }

  @AfterEach
  void close() throws IOException {
    bucket.close();
    other.close();
  }

  @Test
  void evictionFreesTheDiskAndDeletesNothingAtTheBackend() throws IOException {
    byte[] large = cached("large", UNIT + 1000);
    byte[] small = cached("small", 1000);
    long reads = requests();

    assertThat(value(evict("", 1000))).isEqualTo(new Evicted(2, UNIT + 2000, ""));

    assertThat(extents()).isEmpty();
    assertThat(bucket.node().usage().getOrDefault(new BucketId(1), null))
        .satisfiesAnyOf(
            none -> assertThat(none).isNull(), held -> assertThat(held.bytes()).isZero());
    assertThat(requests()).as("requests to the backend").isEqualTo(reads);
    assertThat(Arrays.equals(value(calls.get("large")), large)).isTrue();
    assertThat(value(calls.get("small"))).isEqualTo(small);
    assertThat(requests()).as("requests to the backend").isGreaterThan(reads);
  }

  @Test
  void repeatedEvictionFindsNothing() {
    cached("key", 1000);

    assertThat(value(evict("", 1000)).objects()).isEqualTo(1);
    assertThat(value(evict("", 1000))).isEqualTo(new Evicted(0, 0, ""));
  }

  @Test
  void evictionOfAPrefixLeavesOtherKeys() {
    cached("train/a", 1000);
    cached("train/b", 1000);
    cached("val/a", 1000);

    assertThat(value(evict("train/", 1000))).isEqualTo(new Evicted(2, 2000, ""));
    long reads = requests();
    value(calls.get("val/a"));
    assertThat(requests()).isEqualTo(reads);
  }

  @Test
  void manyObjectsAreEvictedInSteps() {
    for (int i = 0; i < 5; i++) {
      cached("key-" + i, 10);
    }

    assertThat(value(evict("", "", 2))).isEqualTo(new Evicted(2, 20, "key-1"));
    assertThat(value(evict("", "key-1", 2))).isEqualTo(new Evicted(2, 20, "key-3"));
    assertThat(value(evict("", "key-3", 2))).isEqualTo(new Evicted(1, 10, ""));
  }

  @Test
  void metadataOfAnObjectThatIsEvictedMeanwhileIsFound() {
    cached("key", 1000);
    // Each HEAD may find the entry and lose it before it is read.
    for (int i = 0; i < 50; i++) {
      Thread evicting = Thread.startVirtualThread(() -> value(evict("", 1000)));
      assertThat(value(bucket.head("key")).metadata().sizeBytes()).isEqualTo(1000);
      value(calls.get("key"));
      join(evicting);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void readThatHasBegunGoesOn() {
    byte[] bytes = cached("key", 2 * UNIT);
    ObjectRead begun = value(calls.begin("key"));

    value(evict("", 1000));

    assertThat(Arrays.equals(Calls.read(begun), bytes)).isTrue();
  }

  @Test
  void namedObjectsAreDroppedAndNoOthers() {
    cached("key", 1000);
    cached("key2", 2 * UNIT);
    cached("other", 1000);

    Evicted evicted = value(outdated(new OutdatedKey(ObjectKey.of("key"), "")));
    assertThat(evicted.objects()).isEqualTo(1);
    assertThat(value(outdated(new OutdatedKey(ObjectKey.of("ke"), ""))).objects()).isZero();
    assertThat(value(outdated(new OutdatedKey(ObjectKey.of("key2"), ""))).bytes())
        .isEqualTo(2L * UNIT);
    assertThat(value(evict("", 1000)).objects()).isEqualTo(1);
  }

  @Test
  void objectWithTheETagOfNowStays() {
    cached("key", 1000);
    String etag = value(bucket.head("key")).metadata().etag();

    assertThat(value(outdated(new OutdatedKey(ObjectKey.of("key"), etag))).objects()).isZero();
    assertThat(value(outdated(new OutdatedKey(ObjectKey.of("key"), "another"))).objects())
        .isEqualTo(1);
  }

  private Outcome<Evicted> outdated(OutdatedKey key) {
    return bucket.call(Evict.ofKeys(bucket.scope(), List.of(key)));
  }

  @Test
  void bucketWithoutABackendIsNeverEvicted() throws IOException {
    try (TargetNode primary =
        TargetNode.open(
            TargetNodeConfig.of(folder.resolve("primary")),
            new FixedView(
                0, 0, id -> FixedView.bucket(id, BucketSettings.PRIMARY, Versioning.OFF, 0)))) {
      Calls there = new Calls(primary.target(), new BucketId(1));
      value(there.put("key", new byte[1000]));

      assertThat(Calls.await(primary.target().call(new Evict(bucket.scope(), "", "", 1000))))
          .isEqualTo(Outcome.failed(Evict.NOT_CACHED));
      assertThat(value(there.get("key"))).hasSize(1000);
    }
  }

  private Outcome<Evicted> evict(String prefix, int entriesMax) {
    return evict(prefix, "", entriesMax);
  }

  private Outcome<Evicted> evict(String prefix, String after, int entriesMax) {
    return bucket.call(new Evict(bucket.scope(), prefix, after, entriesMax));
  }

  private byte[] cached(String key, int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    other.objects().put(key, bytes, Map.of());
    value(calls.get(key));
    return bytes;
  }

  private long requests() {
    return other.received().stream().filter(Received::isOfObject).count();
  }

  private List<Path> extents() throws IOException {
    return StoredExtents.in(folder);
  }
}
