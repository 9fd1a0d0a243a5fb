package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Caches on disks that are full, or fail. */
final class FullDiskTest {
  private static final int ALL = CachedServer.SHARDS * CachedServer.SAMPLES;
  private static final long PLENTY = 1 << 30;

  @TempDir Path directory;

  private CachedServer served;

  @BeforeEach
  void serve() throws IOException {
    served = new CachedServer(directory.resolve("cache"));
    served.put("/d", 0, false);
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private Path cache() {
    return directory.resolve("cache");
  }

  private DatasetBuilder dataset(long bytesMax) {
    return served.dataset("/d", bytesMax);
  }

  @Test
  void diskWithoutRoomEndsTheCachingWithOneWarningAndNotTheEpoch() throws IOException {
    try (ShardDataset dataset = dataset(PLENTY).build()) {
      Shards.keys(dataset, 0);
    }
    for (Path data : served.files(".data")) {
      Files.delete(data);
      Files.createSymbolicLink(data, Path.of("/dev/full"));
    }
    for (Path journal : served.files(".pieces")) {
      Files.delete(journal);
      // Without a journal the data would be an orphan, and be thrown away.
      Files.createFile(journal);
    }
    try (Warnings warnings = new Warnings();
        ShardDataset dataset = dataset(PLENTY).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
      assertThat(Shards.keys(dataset, 1)).hasSize(ALL);
      assertThat(warnings.messages())
          .singleElement()
          .asString()
          .contains("cache " + cache() + " stores nothing more: No space left on device");
    }
    for (Path data : served.files(".data")) {
      Files.delete(data);
    }
  }

  @Test
  void fileSystemWithoutRoomEndsTheCachingAndNotTheEpoch() throws Exception {
    Path mount = Files.createDirectory(directory.resolve("mount"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=512k", "tarn-test", mount.toString()),
        "mounting a tmpfs is not allowed here");
    try {
      try (Warnings warnings = new Warnings();
          ShardDataset dataset = dataset(PLENTY).cache(mount, PLENTY).build()) {
        assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
        assertThat(Shards.keys(dataset, 1)).hasSize(ALL);
        assertThat(warnings.messages()).hasSize(1);
      }
      try (Warnings warnings = new Warnings();
          ShardDataset dataset = dataset(PLENTY).cache(mount, PLENTY).build()) {
        assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
        assertThat(warnings.messages()).hasSizeLessThanOrEqualTo(1);
      }
    } finally {
      assertThat(run("umount", mount.toString())).isTrue();
    }
  }

  @Test
  void fullDiskIsNoErrorWhereEveryIndexIsKept() throws Exception {
    Path mount = Files.createDirectory(directory.resolve("mount"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=512k", "tarn-test", mount.toString()),
        "mounting a tmpfs is not allowed here");
    try {
      DatasetBuilder shards =
          ShardDataset.builder()
              .storage(served.storage())
              .shards(served.server().url("/d/shard-00000{0..3}.tar"));
      try (ShardDataset dataset = shards.cache(mount.resolve("cache")).build()) {
        assertThat(dataset.sampleCount()).hasValue(ALL);
      }
      fill(mount.resolve("full"));
      try (Warnings warnings = new Warnings();
          ShardDataset dataset = shards.build()) {
        assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
        assertThat(warnings.messages())
            .singleElement()
            .asString()
            .contains("cache " + mount.resolve("cache"))
            .contains("No space left on device");
      }
      served.server().put("/d/shard-000004.tar", Shards.tar(4, 3, 100));
      assertThatThrownBy(
              () -> shards.shards(served.server().url("/d/shard-00000{0..4}.tar")).build())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("shard-000004.tar")
          .hasMessageContaining("cannot be kept in " + mount.resolve("cache"))
          .hasMessageContaining("No space left on device")
          .hasMessageContaining("make room there, or name another folder");
    } finally {
      assertThat(run("umount", mount.toString())).isTrue();
    }
  }

  @Test
  void folderThatCannotBeMadeOnAFullDiskKeepsNothingAndIsNoErrorButForShardsThatNeedIt()
      throws Exception {
    Path mount = Files.createDirectory(directory.resolve("mount"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=4m", "tarn-test", mount.toString()),
        "mounting a tmpfs is not allowed here");
    try {
      Path full = mount.resolve("full");
      Path made = mount.resolve("a/b");
      fill(full);
      try (Warnings warnings = new Warnings();
          ShardDataset dataset = dataset(PLENTY).cache(made, PLENTY).build()) {
        assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
        assertThat(dataset.get("0/000003").key()).isEqualTo("0/000003");
        assertThat(warnings.messages())
            .singleElement()
            .asString()
            .contains("cache " + made + " is not used, because its disk is full")
            .contains("No space left on device");
      }
      DatasetBuilder shards =
          ShardDataset.builder()
              .storage(served.storage())
              .shards(served.server().url("/d/shard-00000{0..3}.tar"))
              .cache(made);
      assertThatThrownBy(shards::build)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot be kept in " + made)
          .hasMessageContaining("make room there, or name another folder");
      Files.delete(full);
      try (ShardDataset dataset = dataset(PLENTY).cache(made, PLENTY).build()) {
        assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
        long gets = served.gets();
        assertThat(Shards.keys(dataset, 1)).hasSize(ALL);
        assertThat(served.gets()).isEqualTo(gets);
      }
    } finally {
      assertThat(run("umount", mount.toString())).isTrue();
    }
  }

  @Test
  void folderThatIsNoCacheIsRefusedOnAFullDiskToo() throws Exception {
    Path mount = Files.createDirectory(directory.resolve("mount"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=512k", "tarn-test", mount.toString()),
        "mounting a tmpfs is not allowed here");
    try {
      fill(mount.resolve("full"));
      assertThatThrownBy(() -> dataset(PLENTY).cache(mount, PLENTY).build())
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining(mount + ": holds files that do not belong to a cache of this SDK");
      assertThatThrownBy(() -> dataset(PLENTY).cache(mount.resolve("full"), PLENTY).build())
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining("full: is a file, expected a folder for the cache");
      Files.delete(mount.resolve("full"));
      Files.writeString(mount.resolve("tarn-cache"), "tarn-cache 2\n");
      fill(mount.resolve("full"));
      assertThatThrownBy(() -> dataset(PLENTY).cache(mount, PLENTY).build())
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining(mount + ": this version does not know its file tarn-cache");
    } finally {
      assertThat(run("umount", mount.toString())).isTrue();
    }
  }

  @Test
  void folderOfAFileSystemThatIsOnlyReadIsRefused() throws Exception {
    Path mount = Files.createDirectory(directory.resolve("mount"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "ro,size=4m", "tarn-test", mount.toString()),
        "mounting a tmpfs is not allowed here");
    try {
      for (Path folder : new Path[] {mount, mount.resolve("a/b")}) {
        assertThatThrownBy(() -> dataset(PLENTY).cache(folder, PLENTY).build())
            .isInstanceOf(FileSystemException.class)
            .hasMessage(
                folder
                    + ": no cache can be made there: Read-only file system; name a folder that can"
                    + " be written to");
      }
    } finally {
      assertThat(run("umount", mount.toString())).isTrue();
    }
  }

  @Test
  void fullFileSystemThatIsOnlyReadIsRefusedAsThat() throws Exception {
    Path mount = Files.createDirectory(directory.resolve("mount"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=512k", "tarn-test", mount.toString()),
        "mounting a tmpfs is not allowed here");
    try {
      fill(mount.resolve("full"));
      assertThat(run("mount", "-o", "remount,ro", mount.toString())).isTrue();
      assertThatThrownBy(() -> dataset(PLENTY).cache(mount.resolve("a"), PLENTY).build())
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining("no cache can be made there: Read-only file system");
    } finally {
      assertThat(run("umount", mount.toString())).isTrue();
    }
  }

  private static void fill(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      assertThatThrownBy(
              () -> {
                while (true) {
                  channel.write(ByteBuffer.allocate(1 << 12));
                }
              })
          .hasMessageContaining("No space left on device");
    }
  }

  private static boolean run(String... command) throws InterruptedException, IOException {
    return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }
}
