package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.disk.LocalDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real file system without room: a small tmpfs, where mounting one is allowed. */
final class FullDiskTest {
  private static final int OBJECT_BYTES = 1 << 20;
  @TempDir private Path directory;
  private Path mount = Path.of("unused");
  private boolean mounted;

  @BeforeEach
  void mount() throws IOException, InterruptedException {
    mount = Files.createDirectory(directory.resolve("mount"));
    mounted = run("mount", "-t", "tmpfs", "-o", "size=64m", "tarn-test", mount.toString());
    assumeTrue(mounted, "mounting a tmpfs is not allowed here; DamageTest simulates a full disk");
  }

  @AfterEach
  void unmount() throws IOException, InterruptedException {
    if (mounted) {
      assertThat(run("umount", mount.toString())).isTrue();
    }
  }

  @Test
  void writesAreRefusedReadsGoOnAndServiceResumesWhenRoomReturns() throws IOException {
    try (OneDisk node = new OneDisk(new LocalDisk(mount), OneDisk.SMALL)) {
      byte[] bytes = Scenario.bytes(1, OBJECT_BYTES);
      int stored = 0;
      Outcome<?> last = node.calls().put("object-0", bytes);
      while (last instanceof Outcome.Success<?>) {
        stored++;
        last = node.calls().put("object-" + stored, bytes);
      }
      assertThat(last)
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.failure()).isInstanceOf(Failure.OutOfSpace.class));
      assertThat(stored).isPositive();
      for (int i = 0; i < stored; i++) {
        assertThat(value(node.calls().get("object-" + i))).isEqualTo(bytes);
      }
      for (int i = 0; i < stored / 2; i++) {
        value(node.calls().delete("object-" + i));
      }
      value(node.calls().put("after", bytes));
      assertThat(value(node.calls().get("after"))).isEqualTo(bytes);
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      assumeTrue(false, "there is no " + command[0] + " here: " + e.getMessage());
      return false;
    }
  }
}
