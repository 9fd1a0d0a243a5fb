package dev.tarn.sharder.pack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.tar.TarMember;
import dev.tarn.shard.tar.TarReader;
import dev.tarn.sharder.FolderContents;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.Planner;
import dev.tarn.sharder.plan.option.Order;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.source.DirectorySource;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.StorageSource;
import dev.tarn.sharder.verify.DatasetVerifier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PackTest {
  private static final int BIGGER_THAN_A_BUFFER = 5 * 1024 * 1024;

  @TempDir Path directory;

  private Storage storage = Storage.open();
  private Path source = Path.of("");

  @BeforeEach
  void makeFiles() throws IOException {
    storage = Storage.open();
    source = Files.createDirectory(directory.resolve("source"));
    Random random = new Random(1);
    for (int i = 0; i < 300; i++) {
      write("d%d/%04d.bin".formatted(i % 5, i), random, random.nextInt(20_000));
      write("d%d/%04d.cls".formatted(i % 5, i), random, 1);
    }
    write("empty.txt", random, 0);
    write("n".repeat(120) + ".jpg", random, 100);
    write("é.txt", random, 10);
    write("large/1.bin", random, BIGGER_THAN_A_BUFFER);
    write("large/1.txt", random, 3);
  }

  @AfterEach
  void close() {
    storage.close();
  }

  private void write(String name, Random random, int size) throws IOException {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    Path file = source.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }

  private Source files() {
    return new DirectorySource(url(source));
  }

  private static StorageUrl url(Path path) {
    return StorageUrl.parse(path.toString());
  }

  private static Plan plan(Source files, Order order) throws IOException {
    PlanOptions options = PlanOptions.builder().maximumSize(6 << 20).order(order).build();
    return new Planner(options, Packer.ENCODER, SortSpace.usual()).plan(List.of(files), "dataset");
  }

  private DatasetManifest pack(String name, int jobs, Order order)
      throws IOException, InterruptedException {
    return pack(files(), name, jobs, order);
  }

  private DatasetManifest pack(Source files, String name, int jobs, Order order)
      throws IOException, InterruptedException {
    try (Plan plan = plan(files, order)) {
      return new Packer(storage, url(directory.resolve(name)), jobs)
          .pack(plan, List.of(files), new Progress());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8, 40})
  void bytesDoNotDependOnTheNumberOfJobs(int jobs) throws IOException, InterruptedException {
    pack("one", 1, Order.shuffled(3));
    pack("many", jobs, Order.shuffled(3));

    assertThat(FolderContents.of(directory.resolve("many")))
        .isEqualTo(FolderContents.of(directory.resolve("one")));
  }

  @Test
  void bytesDoNotDependOnFileTimesModesOrTheStorage() throws IOException, InterruptedException {
    pack("before", 2, Order.BY_KEY);
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.setLastModifiedTime(file, FileTime.fromMillis(file.hashCode()));
      }
    }
    Source throughStorage = new StorageSource(storage, url(source));
    pack(throughStorage, "after", 2, Order.BY_KEY);

    assertThat(FolderContents.of(directory.resolve("after")))
        .isEqualTo(FolderContents.of(directory.resolve("before")));
  }

  @Test
  void everySampleIsThereOnceWithItsBytes() throws IOException, InterruptedException {
    DatasetManifest manifest = pack("dataset", 3, Order.shuffled(5));

    Map<String, ByteBuffer> found = new HashMap<>();
    for (var shard : manifest.shards()) {
      Path file = directory.resolve("dataset").resolve(shard.name());
      assertThat(Files.size(file)).isEqualTo(shard.size()).isLessThanOrEqualTo(6 << 20);
      try (TarReader reader = TarReader.of(shard.name(), Files.newInputStream(file))) {
        for (TarMember member; (member = reader.next()) != null; ) {
          assertThat(found.put(member.name(), reader.readData())).isNull();
        }
      }
    }
    assertThat(found).isEqualTo(FolderContents.of(source));
    assertThat(manifest.shards()).hasSizeGreaterThan(1);
    assertThat(manifest.members()).isEqualTo(found.size());
  }

  @Test
  void packedDatasetVerifies() throws IOException, InterruptedException {
    DatasetManifest manifest = pack("dataset", 2, Order.shuffled(5));

    StorageUrl dataset = url(directory.resolve("dataset"));
    assertThat(
            new DatasetVerifier(new ShardAccess(storage, SortSpace.usual().folder()), dataset, 2)
                .verify(manifest, new Progress()))
        .isEmpty();
  }

  @Test
  void anyByteThatChangesIsFoundByVerifying() throws IOException, InterruptedException {
    DatasetManifest manifest = pack("dataset", 2, Order.BY_KEY);
    Random random = new Random(11);
    StorageUrl dataset = url(directory.resolve("dataset"));
    for (String name :
        List.of("shard-000000.tar", "shard-000001.tar", "shard-000000.tar.tarnidx")) {
      Path file = directory.resolve("dataset").resolve(name);
      byte[] right = Files.readAllBytes(file);
      for (int round = 0; round < 5; round++) {
        byte[] wrong = right.clone();
        wrong[random.nextInt(wrong.length)] ^= 1;
        Files.write(file, wrong);

        assertThat(
                new DatasetVerifier(
                        new ShardAccess(storage, SortSpace.usual().folder()), dataset, 2)
                    .verify(manifest, new Progress()))
            .isNotEmpty()
            .allMatch(problem -> problem.place().contains(name));
      }
      Files.write(file, right);
    }
  }

  @Test
  void datasetIsNeverOverwritten() throws IOException, InterruptedException {
    pack("dataset", 2, Order.BY_KEY);
    Map<String, ByteBuffer> before = FolderContents.of(directory.resolve("dataset"));

    assertThatThrownBy(() -> pack("dataset", 2, Order.shuffled(1)))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("a dataset is there already");
    assertThat(FolderContents.of(directory.resolve("dataset"))).isEqualTo(before);
  }

  @Test
  void fileThatVanishesFailsTheRunAndLeavesNoDataset() throws IOException {
    Source files = files();
    Plan plan = plan(files, Order.BY_KEY);
    Files.delete(source.resolve("d3/0003.bin"));

    assertFails(plan, files, "d3/0003.bin: vanished while it was packed");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 50_000})
  void fileThatChangesItsSizeFailsTheRun(int size) throws IOException {
    Source files = files();
    Plan plan = plan(files, Order.BY_KEY);
    write("d2/0002.bin", new Random(1), size);

    assertFails(plan, files, "d2/0002.bin: changed while it was packed: it had ");
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, BIGGER_THAN_A_BUFFER + 1})
  void largeFileThatChangesItsSizeFailsTheRun(int size) throws IOException {
    Source files = files();
    Plan plan = plan(files, Order.BY_KEY);
    write("large/1.bin", new Random(1), size);

    assertFails(plan, files, "large/1.bin: changed while it was packed");
  }

  private void assertFails(Plan plan, Source files, String message) throws IOException {
    Packer packer = new Packer(storage, url(directory.resolve("failed")), 3);

    assertThatThrownBy(() -> packer.pack(plan, List.of(files), new Progress()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(message);
    assertThat(FolderContents.of(directory.resolve("failed")).keySet())
        .noneMatch(name -> name.equals(DatasetManifest.FILE_NAME) || name.startsWith(".tarn-part"));
  }

  @Test
  void shardsOfAnUnfinishedRunAreReplaced() throws IOException, InterruptedException {
    Path dataset = Files.createDirectory(directory.resolve("dataset"));
    Files.write(dataset.resolve("shard-000000.tar"), "half".getBytes(UTF_8));

    DatasetManifest manifest = pack("dataset", 2, Order.BY_KEY);

    assertThat(
            new DatasetVerifier(
                    new ShardAccess(storage, SortSpace.usual().folder()), url(dataset), 2)
                .verify(manifest, new Progress()))
        .isEmpty();
  }
}
