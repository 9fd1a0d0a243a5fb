package dev.tarn.sharder.pack;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.index.IndexedMember;
import dev.tarn.shard.index.IndexedSample;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.index.ShardRestarts;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.tar.TarLayout;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.pack.FinishedShard.Lost;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.PlannedMember;
import dev.tarn.sharder.plan.PlannedShard;
import dev.tarn.sharder.plan.ShardPlan;
import dev.tarn.sharder.plan.option.OnError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the shards of a plan that are already stored. An index is written after its shard is
 * complete. A shard is therefore finished if its index exists, the index matches the plan, and the
 * shard has the length that the index states.
 */
final class FinishedShards {
  private static final int INDEX_LENGTH_MAX = Integer.MAX_VALUE - 8;

  private static final int THREADS_MAX = 8;

  /**
   * Maximum bytes of indexes and plans of shards in memory; a single larger shard is still allowed.
   */
  private static final int BYTES_MAX = 48 * 1024 * 1024;

  private final Plan plan;
  private final Storage storage;
  private final StorageUrl dataset;
  private final Semaphore room = new Semaphore(BYTES_MAX, true);
  private final Garbage garbage = new Garbage();

  /** Shards whose index shows that another program or plan made them. */
  private final Set<Integer> others = ConcurrentHashMap.newKeySet();

  /** Shards without an index that can be read. */
  private final Map<Integer, StoredObject> unindexed = new ConcurrentHashMap<>();

  FinishedShards(Plan plan, Storage storage, StorageUrl dataset) {
    this.plan = plan;
    this.storage = storage;
    this.dataset = dataset;
  }

  /**
   * Looks for some shards.
   *
   * @param shards their numbers in the plan
   * @param progress receives the members and bytes of each finished shard
   * @return the finished shards by number
   */
  Map<Integer, FinishedShard> find(List<Integer> shards, Progress progress)
      throws IOException, InterruptedException {
    Map<String, StoredObject> files = files();
    Map<Integer, FinishedShard> found = new TreeMap<>();
    Map<Integer, Future<Optional<FinishedShard>>> results = new TreeMap<>();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS_MAX);
    try {
      for (int number : shards) {
        String name = plan.shards().get(number).name();
        StoredObject shard = files.get(name);
        StoredObject index = files.get(name + ShardIndex.SUFFIX);
        if (shard != null && index != null) {
          results.put(number, threads.submit(() -> find(number, shard, index, progress)));
        } else if (shard != null) {
          unindexed.put(number, shard);
        }
      }
      for (Map.Entry<Integer, Future<Optional<FinishedShard>>> result : results.entrySet()) {
        result.getValue().get().ifPresent(shard -> found.put(result.getKey(), shard));
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException("looking for finished shards failed", e);
    } finally {
      threads.shutdownNow();
      threads.close();
    }
    return found;
  }

  private Collection<FinishedShard> findAll() throws IOException, InterruptedException {
    try (Progress unseen = new Progress()) {
      return find(Slice.WHOLE.shards(plan), unseen).values();
    }
  }

  /** Returns the names of the finished shards. */
  Set<String> made() throws IOException, InterruptedException {
    return findAll().stream().map(shard -> shard.entry().name()).collect(Collectors.toSet());
  }

  /**
   * Verifies that packing the shards that {@link #find} did not find replaces no shard of others. A
   * shard without an index may be what a killed run of this plan left: it counts as one of others
   * only if {@link ShardStart} shows it.
   *
   * @throws FileAlreadyExistsException naming the shards of others
   */
  void requireNoOthers() throws IOException {
    Set<Integer> found = new TreeSet<>(others);
    for (Map.Entry<Integer, StoredObject> shard : unindexed.entrySet()) {
      if (ShardStart.differs(storage, plan, shard.getKey(), shard.getValue())) {
        found.add(shard.getKey());
      }
    }
    if (!found.isEmpty()) {
      List<String> names = found.stream().map(number -> plan.shards().get(number).name()).toList();
      throw new FileAlreadyExistsException(
          "packing into %s failed: another program wrote %,d of its shards: %s; move %s elsewhere, then pack again"
              .formatted(
                  dataset,
                  names.size(),
                  ShardNames.print(names),
                  names.size() == 1 ? "it" : "them"));
    }
  }

  /**
   * Deletes the indexes of a plan's shards, because they would make shards of other runs look
   * finished.
   */
  void forget() throws IOException {
    for (Map.Entry<String, StoredObject> file : files().entrySet()) {
      if (file.getKey().endsWith(ShardIndex.SUFFIX)) {
        storage.delete(file.getValue().url());
      }
    }
  }

  /**
   * Deletes the finished shards; each index is deleted before its shard.
   *
   * @param kept the names of shards that are not deleted
   */
  DiscardedShards delete(Set<String> kept) throws IOException, InterruptedException {
    List<String> names = new ArrayList<>();
    for (FinishedShard shard : findAll()) {
      if (!kept.contains(shard.entry().name())) {
        for (StoredObject file : shard.files().reversed()) {
          storage.delete(file.url());
        }
        names.add(shard.entry().name());
      }
    }
    return new DiscardedShards(names);
  }

  /** Returns the names of a plan's shards and of their indexes. */
  static Set<String> names(Plan plan) {
    Set<String> names = new HashSet<>();
    for (PlannedShard shard : plan.shards()) {
      names.add(shard.name());
      names.add(shard.name() + ShardIndex.SUFFIX);
    }
    return names;
  }

  /** Returns the plan's files that exist in the destination, by name. */
  private Map<String, StoredObject> files() throws IOException {
    Set<String> names = names(plan);
    Map<String, StoredObject> files = new HashMap<>();
    try (Stream<StoredObject> stored = storage.list(dataset)) {
      stored.forEach(file -> {
        String name = file.url().nameUnder(dataset);
        if (names.contains(name)) {
          files.put(name, file);
        }
      });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (StorageException e) {
      if (e.kind() != StorageException.Kind.MISSING) {
        throw e;
      }
    }
    return files;
  }

  private Optional<FinishedShard> find(
      int number, StoredObject shard, StoredObject index, Progress progress)
      throws IOException, InterruptedException {
    long bytes = index.size() + plan.bytesInMemory(number);
    int share = Math.clamp(bytes, 1, BYTES_MAX);
    room.acquire(share);
    try {
      garbage.add(bytes);
      Optional<FinishedShard> found = look(number, shard, index);
      if (found.isPresent()) {
        PlannedShard planned = plan.shards().get(number);
        progress.add(planned.members(), planned.fileBytes());
      }
      return found;
    } finally {
      room.release(share);
    }
  }

  private Optional<FinishedShard> look(int number, StoredObject shard, StoredObject index)
      throws IOException {
    ByteBuffer file = ByteBuffer.wrap(storage.readAll(index.url(), INDEX_LENGTH_MAX));
    try {
      ShardIndex parsed = ShardIndex.of(index.url().toString(), file);
      parsed.verify();
      ShardPlan planned = plan.shard(number);
      Optional<List<Lost>> lost = lost(planned, parsed);
      boolean isWhole = parsed.storedLength() == shard.size();
      // With skipped errors, two runs of one task may leave a shard and an index that differ.
      if (lost.isEmpty() || (!isWhole && plan.header().options().onError() == OnError.ABORT)) {
        others.add(number);
      }
      return isWhole
          ? lost.map(samples ->
              FinishedShard.of(planned.shard(), parsed, file, shard, index).lacking(samples))
          : Optional.empty();
    } catch (ShardFormatException e) {
      unindexed.put(number, shard);
      return Optional.empty();
    }
  }

  /**
   * Compares an index with a planned shard. Returns the planned samples that the index lacks; empty
   * if the index does not match the plan.
   */
  private Optional<List<Lost>> lost(ShardPlan planned, ShardIndex index)
      throws ShardFormatException {
    List<Lost> lost = new ArrayList<>();
    Optional<Compression> compression = index.restarts().map(ShardRestarts::compression);
    if (!compression.equals(plan.header().options().compression().method())) {
      return Optional.empty();
    }
    int next = 0;
    long offset = 0;
    int members = planned.shard().members();
    for (int first = 0; first < members; first = planned.sampleEnd(first)) {
      @Nullable IndexedSample sample = next < index.sampleCount() ? index.sample(next) : null;
      if (sample != null && planned.member(first).key().equals(sample.key())) {
        offset = end(planned, first, sample, offset);
        next++;
      } else {
        PlannedMember member = planned.member(first);
        lost.add(new Lost(member.file().name(), member.key()));
      }
      if (offset < 0) {
        return Optional.empty();
      }
    }
    boolean isWhole =
        next == index.sampleCount()
            && index.shardLength() == offset + TarLayout.endLength(offset)
            && (lost.isEmpty() || plan.header().options().onError() == OnError.SKIP);
    return isWhole ? Optional.of(lost) : Optional.empty();
  }

  /**
   * Returns the end offset of a sample that starts at an offset; -1 if the index differs from the
   * plan.
   */
  private static long end(ShardPlan planned, int first, IndexedSample sample, long start) {
    long offset = start;
    int end = planned.sampleEnd(first);
    if (sample.members().size() != end - first) {
      return -1;
    }
    for (int number = first; number < end; number++) {
      PlannedMember member = planned.member(number);
      IndexedMember indexed = sample.members().get(number - first);
      long size = member.file().size();
      offset += member.headerLength();
      if (!Arrays.equals(member.nameBytes(), MemberNames.encode(indexed.name()))
          || indexed.size() != size
          || indexed.offset() != offset) {
        return -1;
      }
      offset += size + TarLayout.padding(size);
    }
    return offset;
  }
}
