package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static dev.tarn.targetnode.store.crash.Scenario.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Large bytes that were written without a sync, and what is promised of them later. */
final class UnsyncedExtentTest {
  private static final int SEEDS = 8;
  @TempDir private Path directory;
  private SimulatedDisk disk = new SimulatedDisk(Path.of("unused"));

  @BeforeEach
  void makeDisk() {
    disk = new SimulatedDisk(directory.resolve("index"));
  }

  @ParameterizedTest
  @EnumSource(
      value = Scenario.class,
      names = {
        "RECORD_KEPT_BY_THE_SYNC_OF_ANOTHER",
        "RECORD_KEPT_BY_CHANCE",
        "LARGE_BYTES_SEEN_AFTER_A_KILL"
      })
  void largeBytesAreWholeOrMissing(Scenario scenario) throws IOException {
    for (int seed = 1; seed <= SEEDS; seed++) {
      try (Stage stage = new Stage(directory, seed, "")) {
        scenario.run(stage);
      }
    }
  }

  @Test
  void anUploadCompletedUnderFsyncLastsThoughItsPartsCameUnderOs() throws IOException {
    OneDisk node = new OneDisk(disk, OneDisk.SMALL, Durability.OS);
    String upload = value(node.calls().create("object"));
    ObjectPart part = value(node.calls().putPart("object", upload, 1, bytes(1, 20_000)));
    node.switchTo(Durability.FSYNC);
    value(node.calls().complete("object", upload, List.of(part)));
    assertLasts(node, "object", bytes(1, 20_000));
  }

  @Test
  void anObjectTaggedUnderFsyncLastsThoughItCameUnderOs() throws IOException {
    OneDisk node = new OneDisk(disk, OneDisk.SMALL, Durability.OS);
    value(node.calls().put("object", bytes(1, 20_000)));
    node.switchTo(Durability.FSYNC);
    value(node.calls().setTags("object", Map.of("a", "b")));
    assertLasts(node, "object", bytes(1, 20_000));
  }

  @Test
  void whatAnUnfinishedOverwriteReplacedIsThereAgainAndTheLossIsReported() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      value(node.calls().put("key", bytes(1, 20_000)));
    }
    disk = disk.afterKill();
    List<String> before = disk.files("extents/");
    OneDisk careless = new OneDisk(disk, OneDisk.SMALL, Durability.OS);
    value(careless.calls().put("key", bytes(2, 20_000)));
    careless.crash();
    disk.files("extents/").stream()
        .filter(file -> !before.contains(file))
        .forEach(file -> disk.corrupt(file, 4096 + 10_000));
    disk = disk.afterKill();
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      assertThat(value(node.calls().get("key"))).isEqualTo(bytes(1, 20_000));
      assertThat(node.store().damageAtStart())
          .singleElement()
          .satisfies(sentence -> assertThat(sentence).contains("key").contains("not whole"));
    }
    disk = disk.afterKill();
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      assertThat(node.store().damageAtStart()).isEmpty();
    }
  }

  @Test
  void wholeExtentWithAnotherChecksumTableThanItsRecordNamesIsStruckOut() throws IOException {
    OneDisk node = new OneDisk(disk, OneDisk.SMALL, Durability.OS);
    value(node.calls().put("first", bytes(1, 20_000)));
    String first = disk.files("extents/").getFirst();
    value(node.calls().put("second", bytes(2, 20_000)));
    String second =
        disk.files("extents/").stream()
            .filter(file -> !file.equals(first))
            .findFirst()
            .orElseThrow();
    node.crash();
    ByteBuffer other = ByteBuffer.allocate((int) disk.open(second).length() - 4096);
    disk.open(second).read(other, 4096);
    disk.open(first).write(other.rewind(), 4096);
    try (OneDisk next = new OneDisk(disk.afterKill(), OneDisk.SMALL)) {
      assertThat(next.calls().get("first")).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
      assertThat(value(next.calls().get("second"))).isEqualTo(bytes(2, 20_000));
      assertThat(next.store().damageAtStart())
          .singleElement()
          .satisfies(sentence -> assertThat(sentence).contains("first").contains("not whole"));
    }
  }

  @Test
  void extentsThatWereReplacedAndRemovedBeforeACrashAreNoDamage() throws IOException {
    OneDisk node = new OneDisk(disk, OneDisk.SMALL, Durability.OS);
    value(node.calls().put("overwritten", bytes(1, 20_000)));
    value(node.calls().put("deleted", bytes(2, 20_000)));
    value(node.calls().put("overwritten", bytes(3, 20_000)));
    node.switchTo(Durability.FSYNC);
    value(node.calls().delete("deleted"));
    node.crash();
    try (OneDisk next = new OneDisk(disk.afterKill(), OneDisk.SMALL)) {
      assertThat(next.store().damageAtStart()).isEmpty();
      assertThat(value(next.calls().get("overwritten"))).isEqualTo(bytes(3, 20_000));
      assertThat(next.calls().get("deleted")).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
    }
  }

  @Test
  void whatRottedOfTheLastWriteIsReportedAsPerhapsPromised() throws IOException {
    OneDisk node = new OneDisk(disk, OneDisk.SMALL);
    value(node.calls().put("key", bytes(1, 20_000)));
    node.crash();
    disk.corrupt(disk.files("extents/").getFirst(), 4096 + 10_000);
    try (OneDisk next = new OneDisk(disk.afterKill(), OneDisk.SMALL)) {
      assertThat(next.calls().get("key")).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
      assertThat(next.store().damageAtStart())
          .singleElement()
          .satisfies(sentence ->
              assertThat(sentence)
                  .contains("key", "is not whole", "nothing later shows that it was promised"));
    }
  }

  @Test
  void bytesThatCannotBeReadAtTheStartAreReportedAndTheirRecordsStay() throws IOException {
    OneDisk node = new OneDisk(disk, OneDisk.SMALL, Durability.OS);
    value(node.calls().put("replaced", bytes(1, 20_000)));
    value(node.calls().put("object", bytes(2, 20_000)));
    String upload = value(node.calls().create("upload"));
    value(node.calls().putPart("upload", upload, 1, bytes(3, 20_000)));
    value(node.calls().put("replaced", bytes(4, 100)));
    node.crash();
    disk = disk.afterKill();
    disk.failReadsOf("extents/");
    try (OneDisk next = new OneDisk(disk, OneDisk.SMALL)) {
      assertThat(next.store().damageAtStart())
          .allSatisfy(sentence -> assertThat(sentence).contains("could not be read"))
          .satisfiesExactlyInAnyOrder(
              sentence -> assertThat(sentence).contains("object"),
              sentence -> assertThat(sentence).contains("part 1"));
      assertThat(value(next.calls().get("replaced"))).isEqualTo(bytes(4, 100));
      disk.failReadsOf("");
      assertThat(value(next.calls().get("object"))).isEqualTo(bytes(2, 20_000));
    }
  }

  private void assertLasts(OneDisk node, String key, byte[] whole) throws IOException {
    node.crash();
    Random loses = new Random(1);
    try (OneDisk next = new OneDisk(disk.afterPowerCut(loses), OneDisk.SMALL)) {
      assertThat(value(next.calls().get(key))).isEqualTo(whole);
    }
  }
}
