package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.disk.DiskFault;
import dev.tarn.targetnode.store.disk.LocalDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real file system without room: a small tmpfs, where mounting one is allowed. */
final class FullDiskTest {
  private static final int OBJECT_BYTES = 1 << 20;
  private static final long RESUMES_NANOS_MAX = 60_000_000_000L;
  @TempDir private Path directory;
  private Path mount = Path.of("unused");
  private boolean mounted;

  @BeforeEach
  void mount() throws IOException, InterruptedException {
    mount = Files.createDirectory(directory.resolve("mount"));
    mounted = run("mount", "-t", "tmpfs", "-o", "size=160m", "tarn-test", mount.toString());
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
      assertOutOfSpace(last);
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

  /** The log has room, its index has none: nothing else tells the faults of the two apart. */
  @Test
  void anIndexWithoutRoomRefusesWritesAndResumesWhenRoomReturns() throws IOException {
    Path root = Files.createDirectory(directory.resolve("root"));
    Files.createSymbolicLink(root.resolve("index"), Files.createDirectory(mount.resolve("index")));
    Path filler = mount.resolve("filler");
    int stored = 0;
    try (OneDisk node = new OneDisk(new LocalDisk(root), OneDisk.SMALL)) {
      value(node.calls().put("before", Scenario.bytes(0, 1000)));
      fill(filler);
      Outcome<?> last = node.calls().put("object-0", Scenario.bytes(0, 100));
      while (last instanceof Outcome.Success<?>) {
        stored++;
        assertThat(stored).as("writes that the index took without room").isLessThan(100_000);
        last = node.calls().put("object-" + stored, Scenario.bytes(stored, 100));
      }
      assertOutOfSpace(last);
      assertOutOfSpace(node.calls().put("during", Scenario.bytes(1, 100)));
      assertThat(node.store().health().outOfService()).isEmpty();
      assertThat(value(node.calls().get("before"))).isEqualTo(Scenario.bytes(0, 1000));
      assertStored(node, stored);
      Files.delete(filler);
      long deadline = System.nanoTime() + RESUMES_NANOS_MAX;
      while (node.calls().put("after", Scenario.bytes(2, 100)) instanceof Outcome.Failed<?>) {
        assertThat(System.nanoTime()).as("writes resume").isLessThan(deadline);
        Thread.onSpinWait();
      }
      assertStored(node, stored);
    }
    try (OneDisk node = new OneDisk(new LocalDisk(root), OneDisk.SMALL)) {
      assertStored(node, stored);
      assertThat(value(node.calls().get("after"))).isEqualTo(Scenario.bytes(2, 100));
      assertThat(node.calls().get("during")).isInstanceOf(Outcome.Failed.class);
    }
  }

  private static void assertStored(OneDisk node, int stored) {
    for (int i = 0; i < stored; i++) {
      assertThat(value(node.calls().get("object-" + i))).isEqualTo(Scenario.bytes(i, 100));
    }
  }

  private static void assertOutOfSpace(Outcome<?> outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.OutOfSpace.class));
  }

  /** Takes all room there is. */
  private static void fill(Path file) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate(4096);
    try (FileChannel channel = FileChannel.open(file, CREATE_NEW, WRITE)) {
      while (true) {
        channel.write(zeros.clear());
      }
    } catch (IOException full) {
      assertThat(DiskFault.of(full)).isEqualTo(DiskFault.FULL);
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
