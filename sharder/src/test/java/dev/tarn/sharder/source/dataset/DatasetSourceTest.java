package dev.tarn.sharder.source.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.pack.Packer;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.Planner;
import dev.tarn.sharder.plan.option.Order;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.source.ListColumns;
import dev.tarn.sharder.source.ListingFaults;
import dev.tarn.sharder.source.SampleFilter;
import dev.tarn.sharder.source.SourceFile;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.open.OpenSources;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DatasetSourceTest {
  private static final StorageUrl FILES = StorageUrl.parse("memory://store/files");
  private static final StorageUrl SET = StorageUrl.parse("memory://store/set");
  private static final SampleFilter ALL =
      new SampleFilter(Set.of(), Set.of(), List.of(), List.of());

  private final MemoryStorage storage = new MemoryStorage();
  private final Map<String, byte[]> files = new TreeMap<>();

  @TempDir Path directory;

  @BeforeEach
  void packFiles() throws IOException, InterruptedException {
    Random random = new Random(1);
    for (int i = 0; i < 400; i++) {
      put("d%d/%04d.bin".formatted(i % 3, i), random, random.nextInt(8000));
      put("d%d/%04d.cls".formatted(i % 3, i), random, 1);
    }
    put("large.bin", random, 5_000_000);
    put("é.txt", random, 0);
    pack(FILES, SET, options(Order.shuffled(3), 6 << 20), ALL);
  }

  private void put(String name, Random random, int size) throws IOException {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    files.put(name, bytes);
    storage.write(FILES.child(name), ByteBuffer.wrap(bytes));
  }

  private static PlanOptions options(Order order, long size) {
    return PlanOptions.builder().maximumSize(size).order(order).build();
  }

  private OpenSources sources(StorageUrl url) throws IOException {
    SourceOptions options =
        new SourceOptions(
            ListColumns.DEFAULT, false, false, false, directory, ListingFaults.ABORT, notice -> {});
    return OpenSources.open(storage, List.of(url), options);
  }

  private void pack(StorageUrl from, StorageUrl to, PlanOptions options, SampleFilter filter)
      throws IOException, InterruptedException {
    Planner planner = new Planner(options, Packer.ENCODER, SortSpace.usual());
    try (OpenSources opened = sources(from);
        Plan plan = planner.plan(opened.filtered(filter), to.toString())) {
      new Packer(storage, to, 3).pack(plan, opened.all(), new Progress());
    }
  }

  private Map<String, ByteBuffer> contents(StorageUrl folder) throws IOException {
    Map<String, ByteBuffer> contents = new TreeMap<>();
    try (Stream<StoredObject> objects = storage.list(folder)) {
      for (StoredObject object : objects.toList()) {
        contents.put(
            object.url().nameUnder(folder),
            ByteBuffer.wrap(storage.readAll(object.url(), 1 << 30)));
      }
    }
    return contents;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 3})
  void datasetPackedAnewHasTheBytesOfItsFilesPackedInThatWay(long seed)
      throws IOException, InterruptedException {
    PlanOptions options = options(seed == 0 ? Order.BY_KEY : Order.shuffled(seed), 8 << 20);
    StorageUrl again = StorageUrl.parse("memory://store/again");
    StorageUrl fresh = StorageUrl.parse("memory://store/fresh");
    pack(SET.child("dataset.json"), again, options, ALL);
    pack(FILES, fresh, options, ALL);

    assertThat(contents(again)).isEqualTo(contents(fresh)).hasSizeGreaterThan(2);
  }

  @Test
  void samplesAndMembersThatAreNotWantedAreLeftOut() throws IOException, InterruptedException {
    PlanOptions options = options(Order.BY_KEY, 8 << 20);
    StorageUrl again = StorageUrl.parse("memory://store/again");
    StorageUrl fresh = StorageUrl.parse("memory://store/fresh");
    for (String name : files.keySet()) {
      if (!name.startsWith("d1/") || !name.endsWith(".bin") || name.contains("3")) {
        storage.delete(FILES.child(name));
      }
    }
    SampleFilter filter =
        new SampleFilter(
            Set.of("bin", "cls"),
            Set.of("cls"),
            List.of(key -> key.startsWith("d1/")),
            List.of(key -> key.contains("3")));
    pack(SET.child("dataset.json"), again, options, filter);
    pack(FILES, fresh, options, ALL);

    assertThat(contents(again)).isEqualTo(contents(fresh));
  }

  private static List<SourceFile> list(OpenSources sources) throws IOException {
    List<SourceFile> listed = new ArrayList<>();
    sources.all().getFirst().list(listed::add);
    return listed;
  }

  @Test
  void membersAreReadAtOnceOrInPieces() throws IOException {
    try (OpenSources sources = sources(SET.child("dataset.json"))) {
      List<SourceFile> listed = list(sources);
      assertThat(listed).hasSize(files.size());
      for (SourceFile file : listed) {
        ByteBuffer bytes = ByteBuffer.allocate((int) file.size() + 1);
        assertThat(sources.all().getFirst().read(file, bytes)).isEqualTo((int) file.size());
        assertThat(bytes.flip()).isEqualTo(ByteBuffer.wrap(files.get(file.name())));
        bytes.clear();
        try (ReadableByteChannel channel = sources.all().getFirst().open(file)) {
          while (channel.read(bytes) >= 0) {
            // on to its end
          }
        }
        assertThat(bytes.flip()).isEqualTo(ByteBuffer.wrap(files.get(file.name())));
      }
    }
  }

  @Test
  void corruptMemberIsNotPacked() throws IOException {
    try (OpenSources sources = sources(SET.child("dataset.json"))) {
      SourceFile file = list(sources).getFirst();
      StorageUrl shard = SET.child("shard-000000.tar");
      byte[] bytes = storage.readAll(shard, 1 << 30);
      bytes[512] ^= 1;
      storage.write(shard, ByteBuffer.wrap(bytes));

      assertThatThrownBy(
              () -> sources.all().getFirst().read(file, ByteBuffer.allocate((int) file.size() + 1)))
          .hasMessageContaining("memory://store/set/shard-000000.tar at byte 512: member ")
          .hasMessageContaining("is corrupt: its CRC32C is not the one that the index says");
      try (ReadableByteChannel channel = sources.all().getFirst().open(file)) {
        ByteBuffer target = ByteBuffer.allocate((int) file.size() + 1);
        assertThatThrownBy(
                () -> {
                  while (channel.read(target) >= 0) {
                    // on to its end
                  }
                })
            .hasMessageContaining("is corrupt");
      }
    }
  }

  @Test
  void indexThatIsNotTheManifestsIsRefused() throws IOException {
    storage.write(SET.child("shard-000000.tar.tarnidx"), ByteBuffer.wrap(new byte[100]));
    try (OpenSources sources = sources(SET.child("dataset.json"))) {
      assertThatThrownBy(() -> list(sources))
          .hasMessageContaining(
              "shard-000000.tar.tarnidx: is not the index that the dataset's manifest names")
          .hasMessageContaining(
              "; sharder index --force " + SET.child("shard-000000.tar") + " makes it again");
    }
  }

  @Test
  void datasetThatWasReplacedSinceItWasListedIsNoticed() throws IOException, InterruptedException {
    List<SourceFile> listed;
    try (OpenSources sources = sources(SET.child("dataset.json"))) {
      listed = list(sources);
    }
    storage.delete(SET.child("dataset.json"));
    storage.delete(FILES.child("large.bin"));
    pack(FILES, SET, options(Order.BY_KEY, 6 << 20), ALL);
    try (OpenSources sources = sources(SET.child("dataset.json"))) {
      assertThatThrownBy(
              () -> sources.all().getFirst().read(listed.getFirst(), ByteBuffer.allocate(9000)))
          .hasMessageContaining("set/dataset.json: changed while it was packed");
    }
  }

  @Test
  void folderWithoutManifestIsNoDataset() throws IOException {
    storage.write(FILES.child("a.txt"), ByteBuffer.wrap("a".getBytes(UTF_8)));

    assertThatThrownBy(() -> sources(FILES.child("dataset.json")))
        .hasMessageContaining("there is no dataset");
  }
}
