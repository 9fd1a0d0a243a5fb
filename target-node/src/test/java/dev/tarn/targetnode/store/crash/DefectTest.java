package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static dev.tarn.targetnode.store.crash.Scenario.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a defect of ours does to the call that meets it, and to those behind it. */
final class DefectTest {
  @TempDir private Path directory;

  @Test
  void aLargeWriteThatMeetsADefectFailsAndTheNextOneIsStored() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(directory.resolve("index"));
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      disk.setDefective(true);
      assertThat(node.calls().put("key", bytes(1, 20_000))).isInstanceOf(Outcome.Failed.class);
      disk.setDefective(false);
      value(node.calls().put("key", bytes(2, 20_000)));
      assertThat(value(node.calls().get("key"))).isEqualTo(bytes(2, 20_000));
    }
    assertThat(disk.files("extents/")).hasSize(1);
  }
}
