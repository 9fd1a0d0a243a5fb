package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.ScrubReport;
import dev.tarn.targetnode.store.disk.DiskInUseException;
import dev.tarn.targetnode.store.disk.FormatHeader;
import dev.tarn.targetnode.store.disk.LocalDisk;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage and faults of the disk: what is told, what is still served, what comes back. */
final class DamageTest {
  @TempDir private Path directory;
  private SimulatedDisk disk = new SimulatedDisk(Path.of("unused"));

  @BeforeEach
  void makeDisk() {
    disk = new SimulatedDisk(directory.resolve("index"));
  }

  private static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @Test
  void aDamagedRecordIsRefusedAndNamedByTheScrubWhileOthersAreServed() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      value(node.calls().put("bad", bytes(1, 1000)));
      value(node.calls().put("good", bytes(2, 1000)));
      disk.corrupt(disk.files("log/").getFirst(), 64 + 600);
      assertThat(node.calls().get("bad"))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.failure()).isInstanceOf(Failure.Corrupt.class));
      assertThat(value(node.calls().get("good"))).isEqualTo(bytes(2, 1000));
      ScrubReport report = node.scrub();
      assertThat(report.objects()).isEqualTo(2);
      assertThat(report.corrupt())
          .singleElement()
          .satisfies(corrupt -> assertThat(corrupt.name().key().text()).isEqualTo("bad"));
    }
  }

  @Test
  void aDamagedExtentIsNamedByTheScrub() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      value(node.calls().put("bad", bytes(1, 20_000)));
      disk.corrupt(disk.files("extents/").getFirst(), 4096 + 10_000);
      assertThat(node.scrub().corrupt())
          .singleElement()
          .satisfies(corrupt -> assertThat(corrupt.reason()).contains("checksum"));
    }
  }

  @Test
  void anIndexMadeAnewSkipsAndReportsADamagedPlaceInTheMiddleOfTheLog() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      value(node.calls().put("first", bytes(1, 1000)));
      value(node.calls().put("second", bytes(2, 1000)));
      value(node.calls().put("third", bytes(3, 1000)));
    }
    disk.corrupt(disk.files("log/").getFirst(), 64 + 20);
    SimulatedDisk next = disk.afterKill();
    SimulatedDisk moved = withIndexOf(next);
    try (OneDisk node = new OneDisk(moved, OneDisk.SMALL)) {
      assertThat(node.store().damageAtStart())
          .singleElement()
          .satisfies(sentence -> assertThat(sentence).contains("damaged from byte 64"));
      assertThat(value(node.calls().get("second"))).isEqualTo(bytes(2, 1000));
      assertThat(value(node.calls().get("third"))).isEqualTo(bytes(3, 1000));
    }
  }

  @Test
  void aDamagedTailOfTheLogCostsNoMoreThanItsRecord() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      value(node.calls().put("first", bytes(1, 1000)));
      value(node.calls().put("last", bytes(2, 1000)));
    }
    String segment = disk.files("log/").getLast();
    disk.corrupt(segment, disk.open(segment).length() - 600);
    SimulatedDisk moved = withIndexOf(disk.afterKill());
    try (OneDisk node = new OneDisk(moved, OneDisk.SMALL)) {
      assertThat(value(node.calls().get("first"))).isEqualTo(bytes(1, 1000));
      assertThat(node.calls().get("last")).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
      assertThat(node.store().damageAtStart())
          .anySatisfy(sentence -> assertThat(sentence).contains("last", "not whole"))
          .anySatisfy(sentence -> assertThat(sentence).contains("the log ends in"));
      value(node.calls().put("last", bytes(3, 1000)));
      assertThat(value(node.calls().get("last"))).isEqualTo(bytes(3, 1000));
    }
  }

  @Test
  void aFormatOfANewerReleaseIsRefusedByTheNameOfItsFeature() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      value(node.calls().put("key", bytes(1, 1000)));
    }
    String segment = disk.files("log/").getFirst();
    disk.open(segment)
        .write(new FormatHeader("TARNLOG1", FormatHeader.VERSION, 1L << 5, 1, 0).encode(), 0);
    SimulatedDisk next = disk.afterKill();
    assertThatThrownBy(() -> new OneDisk(next, OneDisk.SMALL).close())
        .isInstanceOf(UnreadableFormatException.class)
        .hasMessageContaining(segment)
        .hasMessageContaining("requires feature bit 5");
  }

  @Test
  void aStoreOfAnOlderFormatIsRefusedByItsVersion() throws IOException {
    new OneDisk(disk, OneDisk.SMALL).close();
    String segment = disk.files("log/").getFirst();
    disk.open(segment).write(new FormatHeader("TARNLOG1", 1, 0, 1, 0).encode(), 0);
    SimulatedDisk next = disk.afterKill();
    assertThatThrownBy(() -> new OneDisk(next, OneDisk.SMALL).close())
        .isInstanceOf(UnreadableFormatException.class)
        .hasMessageContaining(segment + " has format version 1; this program reads version 2");
  }

  @Test
  void damagedBytesDoNotTakeADiskOut() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      value(node.calls().put("bad", bytes(1, 1000)));
      value(node.calls().put("good", bytes(2, 1000)));
      disk.corrupt(disk.files("log/").getFirst(), 64 + 600);
      for (int i = 0; i < 10; i++) {
        assertThat(node.calls().get("bad")).isInstanceOf(Outcome.Failed.class);
      }
      assertThat(node.store().health().ioErrors()).isZero();
      assertThat(value(node.calls().get("good"))).isEqualTo(bytes(2, 1000));
    }
  }

  private SimulatedDisk withIndexOf(SimulatedDisk next) throws IOException {
    Files.move(directory.resolve("index"), directory.resolve("old-index"));
    return next;
  }

  @Test
  void aDamagedIndexIsMadeAnew() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      value(node.calls().put("key", bytes(1, 1000)));
    }
    Files.writeString(directory.resolve("index").resolve("CURRENT"), "nonsense");
    try (OneDisk node = new OneDisk(disk.afterKill(), OneDisk.SMALL)) {
      assertThat(value(node.calls().get("key"))).isEqualTo(bytes(1, 1000));
      assertThat(node.store().damageAtStart()).hasSize(1);
    }
  }

  @Test
  void anIndexThatAnotherHasOpenIsNotMadeAnew() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      value(node.calls().put("key", bytes(1, 1000)));
      assertThatIOException()
          .isThrownBy(() -> new OneDisk(disk.afterKill(), OneDisk.SMALL))
          .withMessageContaining("cannot be opened");
      assertThat(value(node.calls().get("key"))).isEqualTo(bytes(1, 1000));
    }
    assertThat(directory.resolve("index").resolve("CURRENT")).exists();
  }

  @Test
  void anIndexThatMissesAFileIsMadeAnew() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      value(node.calls().put("key", bytes(1, 1000)));
    }
    try (var files = Files.list(directory.resolve("index"))) {
      for (Path file : files.filter(path -> path.toString().contains("MANIFEST")).toList()) {
        Files.delete(file);
      }
    }
    try (OneDisk node = new OneDisk(disk.afterKill(), OneDisk.SMALL)) {
      assertThat(value(node.calls().get("key"))).isEqualTo(bytes(1, 1000));
    }
  }

  @Test
  void aDirectoryInUseIsRefusedUntilItsUserLetsGo() throws IOException {
    LocalDisk local = new LocalDisk(directory);
    try (OneDisk node = new OneDisk(local, OneDisk.SMALL)) {
      value(node.calls().put("key", bytes(1, 1000)));
      assertThatExceptionOfType(DiskInUseException.class)
          .isThrownBy(() -> new OneDisk(new LocalDisk(directory), OneDisk.SMALL))
          .withMessageContaining(directory.toString());
    }
    try (OneDisk node = new OneDisk(local, OneDisk.SMALL)) {
      assertThat(value(node.calls().get("key"))).isEqualTo(bytes(1, 1000));
    }
  }

  @Test
  void aFullDiskRefusesWritesServesReadsAndResumes() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      value(node.calls().put("before", bytes(1, 1000)));
      disk.setRoom(5000);
      for (int length : List.of(2000, 20_000, 2000, 2000)) {
        node.calls().put("during-" + length, bytes(2, length));
      }
      assertThat(node.calls().put("during", bytes(2, 3000)))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.failure()).isInstanceOf(Failure.OutOfSpace.class));
      assertThat(value(node.calls().get("before"))).isEqualTo(bytes(1, 1000));
      disk.setRoom(Long.MAX_VALUE);
      value(node.calls().put("after", bytes(3, 20_000)));
      assertThat(value(node.calls().get("after"))).isEqualTo(bytes(3, 20_000));
    }
  }

  @Test
  void theReserveIsLeftToDeletes() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.reserving(1 << 20))) {
      value(node.calls().put("small", bytes(1, 1000)));
      value(node.calls().put("large", bytes(2, 20_000)));
      String upload = value(node.calls().create("upload"));
      disk.setRoom((1 << 20) - 1);
      node.store().room().measure();
      List<Outcome<?>> refused =
          List.of(
              node.calls().put("during", bytes(3, 1000)),
              node.calls().putPart("upload", upload, 1, bytes(3, 1000)),
              node.calls().copy("small", "during"),
              node.calls().copy("large", "during"),
              node.calls().copyPart("small", "upload", upload, 1),
              node.calls().copyPart("large", "upload", upload, 1));
      assertThat(refused)
          .allSatisfy(outcome ->
              assertThat(outcome)
                  .isInstanceOfSatisfying(
                      Outcome.Failed.class,
                      failed ->
                          assertThat(failed.failure()).isInstanceOf(Failure.OutOfSpace.class)));
      value(node.calls().delete("small"));
      assertThat(value(node.calls().get("large"))).isEqualTo(bytes(2, 20_000));
      disk.setRoom(Long.MAX_VALUE);
      value(node.calls().copy("large", "after"));
    }
  }

  @Test
  void aReadOnlyDiskSaysSoAndTooManyFilesToo() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      value(node.calls().put("before", bytes(1, 1000)));
      disk.failWith("Read-only file system", false);
      assertRefused(node.calls().put("during", bytes(2, 1000)), "read-only");
      disk.failWith("Too many open files", false);
      assertRefused(node.calls().put("during", bytes(2, 20_000)), "ulimit -n");
      assertThat(value(node.calls().get("before"))).isEqualTo(bytes(1, 1000));
      disk.failWith("", false);
      value(node.calls().put("after", bytes(2, 1000)));
    }
  }

  @Test
  void aDiskThatKeepsFailingIsTakenOutAndItsKeysAreUnavailable() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      value(node.calls().put("key", bytes(1, 1000)));
      disk.failWith("Input/output error", true);
      for (int i = 0; i < 4; i++) {
        assertRefused(node.calls().put("other", bytes(2, 1000)), "");
      }
      disk.failWith("", false);
      assertThat(node.store().health().outOfService()).isPresent();
      assertRefused(node.calls().put("key", bytes(2, 1000)), "input/output");
      assertRefused(node.calls().get("key"), "input/output");
      assertRefused(node.calls().delete("key"), "input/output");
    }
  }

  private static void assertRefused(Outcome<?> outcome, String part) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> {
              assertThat(failed.failure()).isInstanceOf(Failure.Unavailable.class);
              assertThat(failed.failure().message()).contains(part);
            });
  }
}
