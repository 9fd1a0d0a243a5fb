package dev.tarn.sharder.pack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.ObjectWriter;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.Planner;
import dev.tarn.sharder.plan.option.Faults;
import dev.tarn.sharder.plan.option.Order;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.sort.SortSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ResumeTest {
  private static final StorageUrl UNBROKEN = PackedMemory.dataset("unbroken");
  private static final StorageUrl DATASET = PackedMemory.dataset("dataset");

  /** A storage whose process dies when it has made so many objects: nothing is tidied up. */
  private static final class DyingStorage extends ForwardingStorage {
    private final Set<String> made = ConcurrentHashMap.newKeySet();
    private int left;

    DyingStorage(Storage storage, int left) {
      super(storage);
      this.left = left;
    }

    @Override
    public ObjectWriter create(StorageUrl url) throws IOException {
      return new ForwardingWriter(super.create(url)) {
        @Override
        public StoredObject commit() throws IOException {
          live(url());
          made.add(url().name());
          return super.commit();
        }
      };
    }

    @Override
    public void delete(StorageUrl url) throws IOException {
      live(url);
      super.delete(url);
    }

    private synchronized void live(StorageUrl url) throws StorageException {
      if (left-- <= 0) {
        throw new StorageException(StorageException.Kind.FAILED, url, "dead");
      }
    }
  }

  private static PlanOptions compressed() {
    return PackedMemory.options().compression(PackedMemory.compression(Compression.ZSTD)).build();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 7, 9, 11, 13, 14, 15, 16})
  void resumedPackHasTheBytesOfAnUnbrokenOne(int objects) throws IOException, InterruptedException {
    for (PlanOptions options : List.of(PackedMemory.options().build(), compressed())) {
      try (MemoryStorage storage = PackedMemory.storage()) {
        PackedMemory.pack(storage, UNBROKEN, 2, options);
        DyingStorage dying = new DyingStorage(storage, objects);
        assertThatThrownBy(() -> PackedMemory.pack(dying, DATASET, 2, options))
            .hasMessageContaining("dead");

        PackedMemory.pack(storage, DATASET, 3, options);

        assertThat(PackedMemory.contents(storage, DATASET))
            .isEqualTo(PackedMemory.contents(storage, UNBROKEN));
      }
    }
  }

  @Test
  void finishedShardsAreNotPackedAgain() throws IOException, InterruptedException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      DyingStorage dying = new DyingStorage(storage, 6);
      assertThatThrownBy(() -> PackedMemory.pack(dying, DATASET, 1));
      Set<String> finished = new TreeSet<>(dying.made);
      finished.removeIf(name -> !name.endsWith(".tarnidx"));
      DyingStorage living = new DyingStorage(storage, 1000);

      PackedMemory.pack(living, DATASET, 1);

      assertThat(finished).isNotEmpty();
      assertThat(living.made).doesNotContainAnyElementsOf(finished).contains("dataset.json");
    }
  }

  /** Replaces the only finished shard's file of this ending by one with these changed bytes. */
  private static void change(MemoryStorage storage, String ending, UnaryOperator<byte[]> change)
      throws IOException {
    StorageUrl file;
    try (Stream<StoredObject> files = storage.list(DATASET)) {
      file =
          files
              .map(StoredObject::url)
              .filter(url -> url.name().endsWith(ending))
              .findFirst()
              .orElseThrow();
    }
    byte[] bytes = change.apply(storage.readAll(file, Integer.MAX_VALUE));
    storage.write(file, ByteBuffer.wrap(bytes));
  }

  @Test
  void finishedShardWhoseIndexIsDamagedIsPackedAgain() throws IOException, InterruptedException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      PackedMemory.pack(storage, UNBROKEN, 1);
      breakOff(storage);
      change(
          storage,
          ".tar.tarnidx",
          index -> {
            index[index.length / 2] ^= 1;
            return index;
          });

      PackedMemory.pack(storage, DATASET, 1);

      assertThat(PackedMemory.contents(storage, DATASET))
          .isEqualTo(PackedMemory.contents(storage, UNBROKEN));
    }
  }

  @Test
  void finishedShardOfAnotherLengthIsNotTakenOver() throws IOException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      breakOff(storage);
      change(storage, ".tar", shard -> Arrays.copyOf(shard, shard.length - 512));

      assertThatThrownBy(() -> PackedMemory.pack(storage, DATASET, 1))
          .hasMessageContaining("another program wrote 1 of its shards: train/000.tar; move it");
    }
  }

  @Test
  void progressOfAResumedPackCountsWhatWasThere() throws IOException, InterruptedException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      assertThatThrownBy(() -> PackedMemory.pack(new DyingStorage(storage, 8), DATASET, 1));
      try (Plan plan = PackedMemory.plan(storage, PackedMemory.options().build())) {
        Progress progress = new Progress();

        new Packer(storage, DATASET, 2)
            .packMissing(
                plan, PackedMemory.sources(storage), Faults.of(plan.header().options()), progress);

        assertThat(progress.files()).isEqualTo(plan.header().members());
        assertThat(progress.bytes()).isEqualTo(plan.header().fileBytes());
      }
    }
  }

  private static void breakOff(Storage storage) {
    assertThatThrownBy(() -> PackedMemory.pack(new DyingStorage(storage, 8), DATASET, 1))
        .hasMessageContaining("dead");
  }

  private static void assertRefused(Storage storage, PlanOptions options, String message) {
    assertThatThrownBy(() -> PackedMemory.pack(storage, DATASET, 1, options))
        .hasMessageContaining("an unfinished pack is there, but " + message)
        .hasMessageContaining("--restart");
  }

  @Test
  void changedSourceIsNamedByItsFirstFile() throws IOException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      breakOff(storage);
      PlanOptions options = PackedMemory.options().build();
      StorageUrl file = PackedMemory.SOURCE.child("d/007.bin");
      byte[] content = storage.readAll(file, 1 << 20);

      storage.write(file, ByteBuffer.wrap(new byte[7]));
      assertRefused(
          storage,
          options,
          "the source has changed since it was begun: \"d/007.bin\" had %d bytes, now it has 7"
              .formatted(content.length));
      storage.delete(file);
      assertRefused(
          storage, options, "the source has changed since it was begun: \"d/007.bin\" is gone");
      storage.write(file, ByteBuffer.wrap(content));
      assertRefused(
          storage,
          options,
          "the source has changed since it was begun: \"d/007.bin\" was modified");
    }
  }

  @Test
  void newFileIsNamed() throws IOException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      breakOff(storage);
      storage.write(PackedMemory.SOURCE.child("d/new.bin"), ByteBuffer.allocate(5));

      assertRefused(
          storage,
          PackedMemory.options().build(),
          "the source has changed since it was begun: \"d/new.bin\" is new");
    }
  }

  @Test
  void otherOptionIsNamed() throws IOException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      breakOff(storage);

      assertRefused(
          storage,
          PackedMemory.options().order(Order.shuffled(2)).build(),
          "it was begun with another option: seed was 1, now it is 2");
      assertRefused(storage, compressed(), "it was begun with the encoder tarn-tar-2, and this");
    }
  }

  @Test
  void restartDiscardsTheShardsThatTheUnfinishedPackFinished()
      throws IOException, InterruptedException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      PackedMemory.pack(storage, UNBROKEN, 2, compressed());
      breakOff(storage);
      storage.write(DATASET.child("others"), ByteBuffer.allocate(1));

      Set<String> left = PackedMemory.contents(storage, DATASET).keySet();
      List<String> shards = left.stream().filter(name -> name.endsWith(".tar")).sorted().toList();
      List<String> finished =
          shards.stream().filter(shard -> left.contains(shard + ".tarnidx")).toList();
      List<String> others = new ArrayList<>(shards);
      others.removeAll(finished);
      assertThat(finished).isNotEmpty();

      assertThat(new StoredPlan(storage, DATASET).discard().names())
          .containsExactlyElementsOf(finished);

      List<String> kept = new ArrayList<>(others);
      kept.add("others");
      assertThat(PackedMemory.contents(storage, DATASET).keySet())
          .as("a shard without its index may be another program's")
          .containsExactlyInAnyOrderElementsOf(kept);
      for (String name : kept) {
        storage.delete(DATASET.child(name));
      }
      PackedMemory.pack(storage, DATASET, 2, compressed());
      assertThat(PackedMemory.contents(storage, DATASET))
          .isEqualTo(PackedMemory.contents(storage, UNBROKEN));
    }
  }

  @Test
  void restartGetsRidOfAPlanThatCannotBeRead() throws IOException, InterruptedException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      breakOff(storage);
      storage.write(DATASET.child(".packing/plan"), UTF_8.encode("something"));

      assertThatThrownBy(() -> PackedMemory.pack(storage, DATASET, 1))
          .hasMessageContaining("its plan cannot be read")
          .hasMessageContaining("--restart");
      new StoredPlan(storage, DATASET).discard();
      assertThat(PackedMemory.pack(storage, DATASET, 1).samples()).isEqualTo(121);
    }
  }

  @Test
  void shardsOfEarlierPacksAreNotTakenForThisOnes() throws IOException, InterruptedException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      PackedMemory.pack(storage, DATASET, 2);
      storage.delete(DATASET.child(DatasetManifest.FILE_NAME));
      StorageUrl file = PackedMemory.SOURCE.child("d/007.bin");
      byte[] content = storage.readAll(file, 1 << 20);
      content[0]++;
      storage.write(file, ByteBuffer.wrap(content));

      PackedMemory.pack(storage, DATASET, 2);

      PackedMemory.pack(storage, UNBROKEN, 2);
      assertThat(PackedMemory.contents(storage, DATASET))
          .isEqualTo(PackedMemory.contents(storage, UNBROKEN));
    }
  }

  @Test
  void planForAnotherEncoderIsRefused() throws IOException {
    try (MemoryStorage storage = PackedMemory.storage();
        Plan plan =
            new Planner(PackedMemory.options().build(), "tarn-tar-0", SortSpace.usual())
                .plan(PackedMemory.sources(storage), "dataset")) {
      Packer packer = new Packer(storage, DATASET, 1);

      assertThatThrownBy(() -> packer.pack(plan, PackedMemory.sources(storage), new Progress()))
          .hasMessageContaining(
              "the plan is for the encoder tarn-tar-0, this sharder has " + Packer.ENCODER);
      assertThat(PackedMemory.contents(storage, DATASET)).isEmpty();
    }
  }

  @Test
  void packThatDiedWhileItTidiedUpIsFinished() throws IOException, InterruptedException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      DatasetManifest manifest = PackedMemory.pack(storage, DATASET, 2);
      try (Plan plan = PackedMemory.plan(storage, PackedMemory.options().build())) {
        plan.store(storage, DATASET.child(".packing/plan"));
      }
      Map<String, ByteBuffer> before = PackedMemory.contents(storage, DATASET);

      assertThat(PackedMemory.pack(storage, DATASET, 2)).isEqualTo(manifest);

      before.remove(".packing/plan");
      assertThat(PackedMemory.contents(storage, DATASET)).isEqualTo(before);
    }
  }
}
