package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.space.Compactor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Open uploads whose index is made anew after compaction has moved their records. */
final class UploadRecoveryTest {
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
  void partsWhoseUploadWasMovedBehindThemAreFoundAgain() throws IOException {
    String upload;
    ObjectPart part;
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      upload = value(node.calls().create("object"));
      overwrite(node);
      part = value(node.calls().putPart("object", upload, 1, bytes(1, 20_000)));
      moveWhatIsOld(node);
    }
    Files.move(directory.resolve("index"), directory.resolve("old-index"));
    try (OneDisk node = new OneDisk(disk.afterKill(), OneDisk.SMALL)) {
      value(node.calls().complete("object", upload, List.of(part)));
      assertThat(value(node.calls().get("object"))).isEqualTo(bytes(1, 20_000));
      assertThat(parts(node)).isZero();
    }
  }

  @Test
  void partsOfACompletedUploadDoNotComeBack() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      String upload = value(node.calls().create("object"));
      overwrite(node);
      ObjectPart part = value(node.calls().putPart("object", upload, 1, bytes(1, 20_000)));
      moveWhatIsOld(node);
      value(node.calls().complete("object", upload, List.of(part)));
    }
    Files.move(directory.resolve("index"), directory.resolve("old-index"));
    try (OneDisk node = new OneDisk(disk.afterKill(), OneDisk.SMALL)) {
      assertThat(value(node.calls().get("object"))).isEqualTo(bytes(1, 20_000));
      assertThat(parts(node)).isZero();
    }
  }

  @Test
  void completingWithoutAnIdIsRefusedAlsoWhereThereIsAnObject() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      value(node.calls().put("object", bytes(1, 100)));
      assertThat(node.calls().complete("object", "", List.of())).isInstanceOf(Outcome.Failed.class);
    }
  }

  @Test
  void aCopyThatMustLastMakesTheExtentsItSharesLast() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL, BucketSettings.Durability.OS)) {
      value(node.calls().put("source", bytes(1, 20_000)));
    }
    disk = disk.afterKill();
    OneDisk node = new OneDisk(disk, OneDisk.SMALL);
    value(node.calls().copy("source", "copy"));
    node.crash();
    Random loses = new Random(1);
    try (OneDisk next = new OneDisk(disk.afterPowerCut(loses), OneDisk.SMALL)) {
      assertThat(value(next.calls().get("copy"))).isEqualTo(bytes(1, 20_000));
    }
  }

  /** Fills the first segment with what is dead. */
  private static void overwrite(OneDisk node) {
    for (int i = 0; i < 20; i++) {
      value(node.calls().put("overwritten", bytes(i, 4000)));
    }
  }

  /** Fills the segment after it with what is live, and frees the first. */
  private static void moveWhatIsOld(OneDisk node) throws IOException {
    for (int i = 0; i < 20; i++) {
      value(node.calls().put("live-" + i, bytes(i, 4000)));
    }
    assertThat(new Compactor(node.store()).compact(Integer.MAX_VALUE)).isPositive();
  }

  private static int parts(OneDisk node) throws IOException {
    int parts = 0;
    try (IndexCursor cursor = node.store().index().allParts()) {
      while (cursor.next()) {
        parts++;
      }
    }
    return parts;
  }
}
