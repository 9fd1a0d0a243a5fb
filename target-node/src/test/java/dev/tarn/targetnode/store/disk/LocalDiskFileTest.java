package dev.tarn.targetnode.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of the operating system. */
final class LocalDiskFileTest {
  private static final int PAGE = 4096;

  @Test
  void holeTakesNoRoomAndLeavesTheOtherBytes(@TempDir Path folder) throws Exception {
    byte[] bytes = new byte[64 * PAGE];
    Arrays.fill(bytes, (byte) 7);
    try (DiskFile file = new LocalDisk(folder).create("file")) {
      file.write(ByteBuffer.wrap(bytes), 0);
      file.sync();
      long before = blocks(folder.resolve("file"));

      assumeTrue(file.punch(8L * PAGE, 48L * PAGE), "this file system makes no holes");

      ByteBuffer read = ByteBuffer.allocate(bytes.length);
      file.read(read, 0);
      Arrays.fill(bytes, 8 * PAGE, 56 * PAGE, (byte) 0);
      assertThat(Arrays.equals(read.array(), bytes)).isTrue();
      assertThat(before - blocks(folder.resolve("file"))).isEqualTo(48L * PAGE / 512);
    }
  }

  /** The system gives the number of a closed descriptor to the next file that is opened. */
  @Test
  void secondCloseDoesNotCloseTheNextFile(@TempDir Path folder) throws Exception {
    LocalDisk disk = new LocalDisk(folder);
    DiskFile first = disk.create("first");
    first.write(ByteBuffer.allocate(2 * PAGE), 0);
    assumeTrue(first.punch(0, PAGE), "this file system makes no holes");
    first.close();
    try (DiskFile next = disk.create("next")) {
      next.write(ByteBuffer.allocate(2 * PAGE), 0);
      assertThat(next.punch(0, PAGE)).isTrue();

      first.close();

      assertThat(next.punch(PAGE, PAGE)).isTrue();
    }
  }

  /** The blocks of 512 bytes that a file takes. */
  private static long blocks(Path file) throws IOException, InterruptedException {
    Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
    String blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(stat.waitFor()).isZero();
    return Long.parseLong(blocks.strip());
  }
}
