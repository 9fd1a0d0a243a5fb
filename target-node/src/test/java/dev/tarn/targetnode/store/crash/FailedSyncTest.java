package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.space.Compactor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One sync that fails takes nothing with it that was acknowledged before. */
final class FailedSyncTest {
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
  void compactionThatCannotSyncItsCopiesKeepsTheSegmentTheyAreFrom() throws IOException {
    OneDisk node = new OneDisk(disk, OneDisk.SMALL);
    value(node.calls().put("kept", bytes(1, 4000)));
    for (int i = 0; i < 40; i++) {
      value(node.calls().put("overwritten", bytes(i, 4000)));
    }
    for (int i = 0; i < 10; i++) {
      value(node.calls().put("live-" + i, bytes(i, 4000)));
    }
    Compactor compactor = new Compactor(node.store());
    disk.failNextFileSync();
    assertThatIOException().isThrownBy(() -> compactor.compact(Integer.MAX_VALUE));
    assertThat(node.store().health().outOfService()).isPresent();
    assertThatIOException().isThrownBy(() -> compactor.compact(Integer.MAX_VALUE));
    node.crash();
    try (OneDisk next = new OneDisk(disk.afterPowerCut(new Random(1)), OneDisk.SMALL)) {
      assertThat(value(next.calls().get("kept"))).isEqualTo(bytes(1, 4000));
    }
  }

  @Test
  void recordsAcknowledgedWithoutASyncAreNotCutOffByALaterOneThatFails() throws IOException {
    OneDisk node = new OneDisk(disk, OneDisk.SMALL, BucketSettings.Durability.OS);
    int last = -1;
    disk.failNextFileSync();
    while (node.store().health().outOfService().isEmpty()) {
      var outcome = node.calls().put("key-" + (last + 1), bytes(last + 1, 4000));
      if (outcome instanceof Outcome.Success) {
        last++;
      }
    }
    assertThat(last).isPositive();
    node.crash();
    try (OneDisk next = new OneDisk(disk.afterKill(), OneDisk.SMALL)) {
      for (int i = 0; i <= last; i++) {
        assertThat(value(next.calls().get("key-" + i))).isEqualTo(bytes(i, 4000));
      }
    }
  }
}
