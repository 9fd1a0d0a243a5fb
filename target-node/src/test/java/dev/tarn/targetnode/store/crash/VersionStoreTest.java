package dev.tarn.targetnode.store.crash;

import static dev.tarn.cluster.control.Versioning.ENABLED;
import static dev.tarn.cluster.control.Versioning.OFF;
import static dev.tarn.cluster.control.Versioning.SUSPENDED;
import static dev.tarn.targetnode.local.Calls.value;
import static dev.tarn.targetnode.store.crash.Scenario.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.VersionPage.VersionEntry;
import dev.tarn.targetnode.ScrubReport;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.store.disk.FormatHeader;
import dev.tarn.targetnode.store.disk.LocalDisk;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.space.Compactor;
import dev.tarn.targetnode.store.space.Tombstones;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions on a disk: made anew from the log, compacted, scrubbed, freed. */
final class VersionStoreTest {
  private static final BucketId BUCKET = new BucketId(5);
  @TempDir private Path directory;

  @Test
  void indexMadeAnewFromACompactedLogHasTheSameVersions() throws IOException {
    List<List<VersionEntry>> before = new ArrayList<>();
    try (OneDisk node = open()) {
      for (int i = 0; i < 40; i++) {
        mixture(node, "key-" + i, i);
      }
      churn(node);
      assertThat(new Compactor(node.store()).compact(Integer.MAX_VALUE)).isPositive();
      for (int i = 0; i < 40; i++) {
        before.add(value(node.calls(BUCKET).versions("key-" + i, 1000)));
      }
    }
    removeIndex();
    try (OneDisk node = open()) {
      for (int i = 0; i < 40; i++) {
        Calls calls = node.calls(BUCKET);
        assertThat(value(calls.versions("key-" + i, 1000))).isEqualTo(before.get(i)).hasSize(4);
        String first = before.get(i).get(2).versionText();
        assertThat(value(calls.get("key-" + i, first))).isEqualTo(bytes(i, 3000));
        assertThat(value(calls.get("key-" + i, "null"))).isEqualTo(bytes(1000 + i, 900));
      }
    }
  }

  /** Four versions: a delete marker, the null version put while suspended, two others. */
  private static void mixture(OneDisk node, String key, int seed) {
    Calls calls = node.calls(BUCKET);
    node.setVersioning(BUCKET, OFF);
    value(calls.put(key, bytes(seed, 500)));
    node.setVersioning(BUCKET, ENABLED);
    value(calls.put(key, bytes(seed, 700)));
    value(calls.put(key, bytes(seed, 3000)));
    String gone = value(calls.put(key, bytes(seed, 800))).versionText();
    node.setVersioning(BUCKET, SUSPENDED);
    value(calls.put(key, bytes(1000 + seed, 900)));
    value(calls.delete(key, gone));
    node.setVersioning(BUCKET, ENABLED);
    value(calls.delete(key));
  }

  private static void churn(OneDisk node) {
    for (int i = 0; i < 200; i++) {
      value(node.calls().put("filler-" + i % 4, bytes(i, 3000)));
    }
  }

  @Test
  void deletedVersionsAreGoneFromLogAndIndex() throws IOException {
    try (OneDisk node = open()) {
      node.setVersioning(BUCKET, ENABLED);
      Calls calls = node.calls(BUCKET);
      for (int i = 0; i < 100; i++) {
        value(calls.put("key-" + i % 10, new byte[2000]));
      }
      for (int i = 0; i < 10; i++) {
        value(calls.delete("key-" + i));
        for (VersionEntry version : value(calls.versions("key-" + i, 3))) {
          assertThat(value(calls.delete("key-" + i, version.versionText())).existed()).isTrue();
        }
      }
      new Compactor(node.store()).compact(Integer.MAX_VALUE);
      new Tombstones(node.store()).forget();
      try (IndexCursor entries = node.store().index().allObjects()) {
        assertThat(entries.next()).isFalse();
      }
      new Compactor(node.store()).compact(Integer.MAX_VALUE);
      assertThat(node.store().log().bytes()).isLessThan(64 << 10);
    }
    removeIndex();
    try (OneDisk node = open()) {
      assertThat(value(node.calls(BUCKET).versions("key-1", 10))).isEmpty();
    }
  }

  @Test
  void deletedVersionStaysSoWhenTheSegmentOfItsTombstoneIsFreed() throws IOException {
    try (OneDisk node = open()) {
      node.setVersioning(BUCKET, ENABLED);
      Calls calls = node.calls(BUCKET);
      String gone = value(calls.put("key", bytes(1, 1000))).versionText();
      value(calls.put("key", bytes(2, 1000)));
      for (int i = 0; i < 60; i++) {
        value(calls.put("beside-" + i, bytes(i, 2000)));
      }
      churn(node);
      value(calls.delete("key", gone));
      churn(node);
      new Tombstones(node.store()).forget();
      assertThat(new Compactor(node.store()).compact(Integer.MAX_VALUE)).isPositive();
    }
    removeIndex();
    try (OneDisk node = open()) {
      Calls calls = node.calls(BUCKET);
      assertThat(value(calls.versions("key", 10))).hasSize(1);
      assertThat(value(calls.get("key"))).isEqualTo(bytes(2, 1000));
    }
  }

  @Test
  void bytesThatVersionsShareGoWithTheLastOfThem() throws IOException {
    try (OneDisk node = open()) {
      node.setVersioning(BUCKET, ENABLED);
      Calls calls = node.calls(BUCKET);
      String first = value(calls.put("key", bytes(1, 50_000))).versionText();
      String second = value(calls.copy("key", "key")).versionText();
      String third = value(calls.copy("key", first, "key")).versionText();
      value(calls.setTags("key", second, Map.of("a", "b")));
      assertThat(extents(node)).isEqualTo(1);
      value(calls.delete("key", first));
      value(calls.delete("key", third));
      assertThat(value(calls.get("key"))).isEqualTo(bytes(1, 50_000));
      assertThat(extents(node)).isEqualTo(1);
      value(calls.delete("key", second));
      value(node.calls().put("other", bytes(2, 10)));
      assertThat(extents(node)).isZero();
    }
  }

  @Test
  void scrubReadsEveryVersionAndNamesTheDamagedOne() throws IOException {
    String damaged;
    try (OneDisk node = open()) {
      node.setVersioning(BUCKET, ENABLED);
      Calls calls = node.calls(BUCKET);
      damaged = value(calls.put("key", bytes(1, 50_000))).versionText();
      flip(onlyExtent());
      value(calls.put("key", bytes(2, 50_000)));
      value(calls.put("key", bytes(3, 100)));
      value(calls.delete("key"));
      ScrubReport report = node.scrub();
      assertThat(report.objects()).isEqualTo(4);
      assertThat(report.corrupt())
          .singleElement()
          .matches(corrupt -> corrupt.version().text().equals(damaged));
      value(calls.delete("key", damaged));
      report = node.scrub();
      assertThat(report.corruptCount()).isZero();
    }
  }

  @Test
  void logIsRefusedByAProgramThatDoesNotKnowVersions() throws IOException {
    try (OneDisk node = open()) {
      value(node.calls().put("key", bytes(1, 10)));
    }
    ByteBuffer header = ByteBuffer.wrap(Files.readAllBytes(onlySegment())).limit(64).slice();
    assertThatThrownBy(() -> FormatHeader.decode(header, "TARNLOG1", "segment"))
        .isInstanceOfSatisfying(
            UnreadableFormatException.class,
            refused ->
                assertThat(refused.reason())
                    .isEqualTo(UnreadableFormatException.Reason.OTHER_RELEASE))
        .hasMessageContaining("feature bit 0");
  }

  @Test
  void logWrittenBeforeThereWereVersionsIsRead() throws IOException {
    try (OneDisk node = open()) {
      value(node.calls(BUCKET).put("key", bytes(1, 10)));
      value(node.calls(BUCKET).put("gone", bytes(1, 10)));
      value(node.calls(BUCKET).delete("gone"));
    }
    try (FileChannel channel = FileChannel.open(onlySegment(), StandardOpenOption.WRITE)) {
      channel.write(FormatHeader.of("TARNLOG1", 1, 0).encode(), 0);
    }
    removeIndex();
    try (OneDisk node = open()) {
      Calls calls = node.calls(BUCKET);
      node.setVersioning(BUCKET, ENABLED);
      value(calls.put("key", bytes(2, 10)));
      assertThat(value(calls.get("key", "null"))).isEqualTo(bytes(1, 10));
      assertThat(calls.get("gone")).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
    }
  }

  private OneDisk open() throws IOException {
    return new OneDisk(new LocalDisk(directory), OneDisk.SMALL);
  }

  private static int extents(OneDisk node) throws IOException {
    int count = 0;
    for (int i = 0; i < 256; i++) {
      count += node.store().extents().list(i).size();
    }
    return count;
  }

  private Path onlyExtent() throws IOException {
    return onlyFile(directory.resolve("extents"), ".extent");
  }

  private Path onlySegment() throws IOException {
    return onlyFile(directory.resolve("log"), ".segment");
  }

  private static Path onlyFile(Path in, String suffix) throws IOException {
    try (Stream<Path> paths = Files.walk(in)) {
      List<Path> found = paths.filter(path -> path.toString().endsWith(suffix)).toList();
      assertThat(found).hasSize(1);
      return found.getFirst();
    }
  }

  private static void flip(Path extent) throws IOException {
    byte[] bytes = Files.readAllBytes(extent);
    bytes[10_000] ^= 1;
    Files.write(extent, bytes);
  }

  private void removeIndex() throws IOException {
    try (Stream<Path> paths = Files.walk(directory.resolve("index"))) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
