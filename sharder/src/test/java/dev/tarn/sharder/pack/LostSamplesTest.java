package dev.tarn.sharder.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.compression.ShardStreams;
import dev.tarn.shard.index.IndexedMember;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.shard.tar.TarMember;
import dev.tarn.shard.tar.TarReader;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.option.Faults;
import dev.tarn.sharder.plan.option.OnError;
import dev.tarn.sharder.plan.option.PlanOptions;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LostSamplesTest {
  private static final StorageUrl DATASET = PackedMemory.dataset("dataset");

  private static PlanOptions.Builder options() {
    return PackedMemory.options().onError(OnError.SKIP).errorsMax(3);
  }

  private static DatasetManifest pack(
      MemoryStorage storage, PlanOptions options, StringWriter report, String... deleted)
      throws IOException, InterruptedException {
    try (Plan plan = PackedMemory.plan(storage, options);
        Faults faults = new Faults(options.onError(), options.errorsMax(), report)) {
      for (String name : deleted) {
        storage.delete(PackedMemory.SOURCE.child(name));
      }
      return new Packer(storage, DATASET, 2)
          .pack(plan, PackedMemory.sources(storage), faults, new Progress());
    }
  }

  /** The members of all samples; the index is verified against them. */
  private static Map<String, ByteBuffer> read(MemoryStorage storage, DatasetManifest manifest)
      throws IOException {
    Map<String, ByteBuffer> members = new TreeMap<>();
    for (ShardEntry shard : manifest.shards()) {
      StorageUrl url = DATASET.child(shard.name());
      byte[] file = storage.readAll(DATASET.child(shard.index().name()), 1 << 20);
      ShardIndex index = ShardIndex.of(shard.index().name(), ByteBuffer.wrap(file));
      try (TarReader reader =
          TarReader.of(shard.name(), ShardStreams.open(shard.name(), storage.open(url)))) {
        for (int number = 0; number < index.sampleCount(); number++) {
          for (IndexedMember member : index.sample(number).members()) {
            assertThat(reader.next()).isNotNull().returns(member.name(), TarMember::name);
            members.put(member.name(), reader.readData());
          }
        }
        assertThat(reader.next()).isNull();
      }
    }
    return members;
  }

  private static Map<String, ByteBuffer> sourceWithout(MemoryStorage storage, List<String> keys)
      throws IOException {
    Map<String, ByteBuffer> files = PackedMemory.contents(storage, PackedMemory.SOURCE);
    files.keySet().removeIf(name -> keys.contains(name.substring(0, name.indexOf('.'))));
    return files;
  }

  @ParameterizedTest
  @ValueSource(strings = {"d/007.bin", "d/007.cls", "d/large.bin", "d/large.cls"})
  void sampleWithAFileThatVanishedIsLeftOutWhole(String name)
      throws IOException, InterruptedException {
    for (PlanOptions options :
        List.of(
            options().build(),
            options().compression(PackedMemory.compression(Compression.GZIP)).build(),
            options().compression(PackedMemory.compression(Compression.ZSTD)).build())) {
      try (MemoryStorage storage = PackedMemory.storage()) {
        StringWriter report = new StringWriter();

        DatasetManifest manifest = pack(storage, options, report, name);

        assertThat(manifest.samples()).isEqualTo(120);
        assertThat(read(storage, manifest))
            .isEqualTo(sourceWithout(storage, List.of(name.substring(0, name.indexOf('.')))));
        assertThat(report.toString().lines())
            .singleElement()
            .asString()
            .contains("\"name\":\"" + name + "\"", "/" + name + ": vanished while it was packed");
      }
    }
  }

  @Test
  void packThatLostSamplesGoesOnWithTheSameBytes() throws IOException, InterruptedException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      PlanOptions options = options().build();
      try (Plan plan = PackedMemory.plan(storage, options)) {
        storage.delete(PackedMemory.SOURCE.child("d/007.bin"));
        Packer packer = new Packer(storage, DATASET, 2);
        DatasetManifest manifest = packer.pack(plan, PackedMemory.sources(storage), new Progress());
        Map<String, ByteBuffer> before = PackedMemory.contents(storage, DATASET);
        storage.delete(DATASET.child(DatasetManifest.FILE_NAME));
        storage.delete(DATASET.child(manifest.shards().getLast().index().name()));

        assertThat(
                packer.packMissing(
                    plan, PackedMemory.sources(storage), Faults.of(options), new Progress()))
            .isEqualTo(manifest);

        assertThat(PackedMemory.contents(storage, DATASET)).isEqualTo(before);
      }
    }
  }

  @Test
  void samplesThatAnEarlierRunLostAreCountedAndReportedAgain()
      throws IOException, InterruptedException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      PlanOptions options = options().build();
      try (Plan plan = PackedMemory.plan(storage, options)) {
        storage.delete(PackedMemory.SOURCE.child("d/007.bin"));
        storage.delete(PackedMemory.SOURCE.child("d/008.cls"));
        Packer packer = new Packer(storage, DATASET, 2);
        packer.pack(plan, PackedMemory.sources(storage), new Progress());
        storage.delete(DATASET.child(DatasetManifest.FILE_NAME));
        StringWriter report = new StringWriter();

        try (Faults faults = new Faults(OnError.SKIP, 2, report)) {
          packer.packMissing(plan, PackedMemory.sources(storage), faults, new Progress());
          assertThat(faults.skipped()).isEqualTo(2);
        }

        assertThat(report.toString().lines().sorted())
            .hasSize(2)
            .first()
            .asString()
            .startsWith("{\"name\":\"d/007.bin\",\"sample\":\"d/007\",\"reason\":\"train/")
            .contains("was left out by an interrupted run");
        storage.delete(DATASET.child(DatasetManifest.FILE_NAME));
        try (Faults faults = new Faults(OnError.SKIP, 1, null)) {
          assertThatThrownBy(() ->
                  packer.packMissing(plan, PackedMemory.sources(storage), faults, new Progress()))
              .hasMessageContaining("more than 1 errors (--errors-max)");
        }
      }
    }
  }

  @Test
  void moreErrorsThanAllowedEndTheRun() throws IOException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      assertThatThrownBy(() ->
              pack(
                  storage,
                  options().build(),
                  new StringWriter(),
                  "d/001.bin",
                  "d/002.bin",
                  "d/003.bin",
                  "d/004.bin"))
          .hasMessageContaining("more than 3 errors (--errors-max)");
      assertThat(PackedMemory.contents(storage, DATASET)).doesNotContainKey("dataset.json");
    }
  }

  @Test
  void shardThatLostSamplesIsNotTakenForWholeWithoutSkipping()
      throws IOException, InterruptedException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      byte[] content = storage.readAll(PackedMemory.SOURCE.child("d/007.bin"), 1 << 20);
      pack(storage, options().build(), new StringWriter(), "d/007.bin");
      storage.delete(DATASET.child(DatasetManifest.FILE_NAME));
      storage.write(PackedMemory.SOURCE.child("d/007.bin"), ByteBuffer.wrap(content));

      try (Plan plan = PackedMemory.plan(storage, PackedMemory.options().build())) {
        assertThatThrownBy(() -> new Packer(storage, DATASET, 2).commit(plan, new Progress()))
            .hasMessageContaining("1 of 7 shards are missing, or not as they were planned");
      }
    }
  }
}
