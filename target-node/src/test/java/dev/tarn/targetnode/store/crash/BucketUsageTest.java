package dev.tarn.targetnode.store.crash;

import static dev.tarn.cluster.control.Versioning.ENABLED;
import static dev.tarn.cluster.control.Versioning.OFF;
import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.store.disk.LocalDisk;
import dev.tarn.targetnode.store.index.BucketUsage;
import dev.tarn.targetnode.store.space.Compactor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/** What a disk counts of its buckets. {@link OneDisk} compares the counts with a scan. */
final class BucketUsageTest {
  private static final BucketId PLAIN = new BucketId(1);
  private static final BucketId VERSIONED = new BucketId(5);
  private static final byte[] FORMAT_KEY = {7};

  @TempDir private Path directory;

  @Test
  void usageIsTheSameAfterARestartAndARebuild() throws IOException {
    Map<BucketId, BucketUsage> expected =
        Map.of(
            PLAIN, new BucketUsage(3, 5000 + 300 + (6 << 20)), VERSIONED, new BucketUsage(2, 300));
    try (OneDisk node = open()) {
      fill(node);
      assertThat(node.store().index().usage()).isEqualTo(expected);
    }
    try (OneDisk node = open()) {
      assertThat(node.store().index().usage()).isEqualTo(expected);
      for (int i = 0; i < 100; i++) {
        value(node.calls().put("overwritten", new byte[3000]));
      }
      value(node.calls().delete("overwritten"));
      assertThat(new Compactor(node.store()).compact(Integer.MAX_VALUE)).isPositive();
      assertThat(node.store().index().usage()).isEqualTo(expected);
    }
    Files.move(directory.resolve("index"), directory.resolve("old-index"));
    try (OneDisk node = open()) {
      assertThat(node.store().index().usage()).isEqualTo(expected);
    }
  }

  /** Overwrites, deletes, tags, an upload and a copy; then versions and a delete marker. */
  private static void fill(OneDisk node) {
    Calls plain = node.calls(PLAIN);
    value(plain.put("key", new byte[1000]));
    value(plain.put("key", new byte[5000]));
    value(plain.put("tagged", new byte[300]));
    value(plain.setTags("tagged", Map.of("a", "b")));
    value(plain.put("deleted", new byte[700]));
    value(plain.delete("deleted"));
    String upload = value(plain.create("parts"));
    List<ObjectPart> parts =
        List.of(
            value(plain.putPart("parts", upload, 1, new byte[5 << 20])),
            value(plain.putPart("parts", upload, 2, new byte[1 << 20])));
    value(plain.complete("parts", upload, parts));
    node.setVersioning(VERSIONED, ENABLED);
    Calls versioned = node.calls(VERSIONED);
    value(versioned.put("key", new byte[100]));
    value(versioned.put("key", new byte[200]));
    String gone = value(versioned.put("key", new byte[400])).versionText();
    value(versioned.delete("key", gone));
    value(versioned.delete("key"));
    node.setVersioning(VERSIONED, OFF);
  }

  @Test
  void bucketThatHoldsNothingIsNotListed() throws IOException {
    try (OneDisk node = open()) {
      value(node.calls().put("key", new byte[10]));
      value(node.calls().delete("key"));
      assertThat(node.store().index().usage()).isEmpty();
    }
  }

  @Test
  void indexOfAReleaseThatDidNotCountIsRebuilt() throws Exception {
    try (OneDisk node = open()) {
      value(node.calls().put("key", new byte[10]));
    }
    try (Options options = new Options();
        RocksDB index = RocksDB.open(options, directory.resolve("index").toString())) {
      index.put(FORMAT_KEY, ByteBuffer.wrap(index.get(FORMAT_KEY)).putInt(8, 2).array());
      index.delete(ByteBuffer.allocate(9).put((byte) 8).putLong(PLAIN.value()).array());
    }
    for (int start = 0; start < 2; start++) {
      try (OneDisk node = open()) {
        assertThat(node.store().index().usage()).isEqualTo(Map.of(PLAIN, new BucketUsage(1, 10)));
        assertThat(node.store().damageAtStart()).isEmpty();
      }
    }
  }

  private OneDisk open() throws IOException {
    return new OneDisk(new LocalDisk(directory), OneDisk.SMALL);
  }
}
