package dev.tarn.sharder.pack;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.ShardPattern;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.Planner;
import dev.tarn.sharder.plan.option.Faults;
import dev.tarn.sharder.plan.option.Order;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.plan.option.ShardCompression;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.StorageSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Objects in memory, and datasets that are packed of them, as the command packs. */
final class PackedMemory {
  static final StorageUrl SOURCE = StorageUrl.parse("memory://store/source");
  static final int BIGGER_THAN_A_BUFFER = 5 << 20;

  private static final int FILES = 120;

  private PackedMemory() {}

  /** Samples of two files, one of them large. */
  static MemoryStorage storage() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Random random = new Random(4);
    for (int i = 0; i < FILES; i++) {
      put(storage, "d/%03d.bin".formatted(i), random, random.nextInt(60_000));
      put(storage, "d/%03d.cls".formatted(i), random, 1);
    }
    put(storage, "d/large.bin", random, BIGGER_THAN_A_BUFFER);
    put(storage, "d/large.cls", random, 1);
    return storage;
  }

  private static void put(Storage storage, String name, Random random, int length)
      throws IOException {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) random.nextInt(8);
    }
    storage.write(SOURCE.child(name), ByteBuffer.wrap(bytes));
  }

  static StorageUrl dataset(String name) {
    return StorageUrl.parse("memory://store/" + name);
  }

  static PlanOptions.Builder options() {
    return PlanOptions.builder()
        .pattern(new ShardPattern("train/%03d.tar"))
        .maximumSize(6 << 20)
        .maximumCount(20)
        .order(Order.shuffled(1));
  }

  static ShardCompression compression(Compression method) {
    return new ShardCompression(Optional.of(method), OptionalInt.empty());
  }

  static List<Source> sources(Storage storage) {
    return List.of(new StorageSource(storage, SOURCE));
  }

  static Plan plan(Storage storage, PlanOptions options) throws IOException {
    return new Planner(options, Packer.encoder(options.compression()), SortSpace.usual())
        .plan(sources(storage), "dataset");
  }

  /** Packs as the command does: begins, or goes on with what an earlier one left. */
  static DatasetManifest pack(Storage storage, StorageUrl dataset, int jobs, PlanOptions options)
      throws IOException, InterruptedException {
    try (Faults faults = Faults.of(options);
        Plan plan = plan(storage, options)) {
      StoredPlan stored = new StoredPlan(storage, dataset);
      stored.begin(plan);
      DatasetManifest manifest =
          new Packer(storage, dataset, jobs)
              .packMissing(plan, sources(storage), faults, new Progress());
      stored.remove();
      return manifest;
    }
  }

  static DatasetManifest pack(Storage storage, StorageUrl dataset, int jobs)
      throws IOException, InterruptedException {
    return pack(storage, dataset, jobs, options().build());
  }

  /** All objects of a dataset by their names. */
  static Map<String, ByteBuffer> contents(Storage storage, StorageUrl dataset) throws IOException {
    Map<String, ByteBuffer> contents = new TreeMap<>();
    try (Stream<StoredObject> objects = storage.list(dataset)) {
      for (StoredObject object : objects.toList()) {
        contents.put(
            object.url().nameUnder(dataset),
            ByteBuffer.wrap(storage.readAll(object.url(), Integer.MAX_VALUE - 8)));
      }
    }
    return contents;
  }
}
