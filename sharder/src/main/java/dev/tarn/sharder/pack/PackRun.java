package dev.tarn.sharder.pack;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.compress.BlockCompressor;
import dev.tarn.sharder.compress.Compressors;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.PlannedShard;
import dev.tarn.sharder.plan.ShardCompression;
import dev.tarn.sharder.progress.Progress;
import dev.tarn.sharder.source.Source;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one run: workers, and beside them one for each shard that is being finished, since
 * that waits for the device or the network while the workers have work.
 */
final class PackRun {
  /** Bytes that the indexes of the shards under way may take, unless a single one takes more. */
  private static final int INDEX_BYTES_MAX = 48 * 1024 * 1024;

  /** What a member takes in its shard's index beside its name. */
  private static final int INDEX_BYTES_PER_MEMBER = 68;

  /** An index is in memory as its parts, then once more as a file. */
  private static final int INDEX_COPIES = 2;

  /** What planning and listing leave behind for each file. */
  private static final int PLAN_GARBAGE_BYTES_PER_MEMBER = 32;

  /** Garbage that is large or old, and so nothing finds until the heap is collected as a whole. */
  private static final long GARBAGE_BYTES_MAX = 32 * 1024 * 1024;

  /** Shards that are finished while every worker is at another. */
  private static final int SPARE_SHARDS = 2;

  /** Each has two buffers of a whole block. */
  private static final int COMPRESSING_WORKERS_MAX = 16;

  private final Plan plan;
  private final Storage storage;
  private final StorageUrl dataset;
  private final ShardCompression compression;
  private final int workers;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("pack-", 1).factory());
  private final ExecutorCompletionService<@Nullable Void> tasks =
      new ExecutorCompletionService<>(threads);
  private final ManifestPlace manifest;
  private final Semaphore room = new Semaphore(INDEX_BYTES_MAX, true);

  /** Those under way; guarded by itself, like the finished ones. */
  private final List<ShardAssembly> assemblies = new ArrayList<>();

  private final Map<Integer, FinishedShard> finished = new HashMap<>();

  /** Bytes of garbage to come that no collection has been asked for; one thread opens at a time. */
  private long garbageBytes;

  PackRun(Plan plan, Storage storage, StorageUrl dataset, int jobs) {
    this.plan = plan;
    this.storage = storage;
    this.dataset = dataset;
    this.manifest = new ManifestPlace(storage, dataset, plan.header().base());
    this.compression = plan.header().options().compression();
    this.workers = compression.method().isEmpty() ? jobs : Math.min(jobs, COMPRESSING_WORKERS_MAX);
    this.garbageBytes = (long) PLAN_GARBAGE_BYTES_PER_MEMBER * plan.header().members();
  }

  /**
   * Writes shards.
   *
   * @param shards the plan's numbers of them
   * @throws ShardRestartException if this is to be done again, without a sample that is lost
   * @throws IOException the first failure, which stops all
   */
  void run(
      List<Integer> shards,
      List<? extends Source> sources,
      LostSamples lostSamples,
      Progress progress)
      throws IOException, InterruptedException {
    boolean done = false;
    @Nullable Throwable failure = null;
    try {
      Supplier<SampleReading> reading =
          () -> new SampleReading(plan.header().options().time(), sources, lostSamples, progress);
      submitWorkers(shards, reading);
      for (int i = 0; i < workers + shards.size(); i++) {
        tasks.take().get();
      }
      done = true;
    } catch (ExecutionException e) {
      failure = e.getCause();
    } catch (InterruptedException e) {
      failure = e;
    } finally {
      threads.shutdownNow();
      threads.close();
      if (!done) {
        discard(failure);
      }
    }
    throwIfFailed(failure);
  }

  /** The shards that are there, by their numbers; complete when the run has ended. */
  Map<Integer, FinishedShard> finished() {
    return Map.copyOf(finished);
  }

  private void submitWorkers(List<Integer> shards, Supplier<SampleReading> reading) {
    Buffers buffers;
    Supplier<SegmentPacking> packing;
    if (compression.method().isEmpty()) {
      buffers = Buffers.plain(workers, plan.header().largestSample());
      packing = () -> SegmentPacking.plain(reading.get());
    } else {
      try (BlockCompressor compressor = Compressors.open(compression)) {
        buffers = Buffers.compressed(workers, compressor);
      }
      int length = buffers.segmentLengthMax();
      packing =
          () -> SegmentPacking.compressed(reading.get(), Compressors.open(compression), length);
    }
    SegmentQueue queue = new SegmentQueue(shards, buffers.segmentLengthMax(), this::open);
    for (int i = 0; i < workers; i++) {
      tasks.submit(new Worker(queue, buffers, packing));
    }
  }

  private static void throwIfFailed(@Nullable Throwable failure)
      throws IOException, InterruptedException {
    switch (failure) {
      case null -> {}
      case IOException e -> throw e;
      case InterruptedException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IOException("packing failed: " + failure, failure);
    }
  }

  private ShardAssembly open(int number) throws IOException, InterruptedException {
    PlannedShard shard = plan.shards().get(number);
    room.acquire(share(shard));
    collectGarbage(INDEX_COPIES * indexBytes(shard));
    ShardAssembly assembly =
        new ShardAssembly(number, plan.shard(number), compression, storage, dataset, this::finish);
    synchronized (assemblies) {
      assemblies.add(assembly);
    }
    return assembly;
  }

  /**
   * The collector would rather grow the heap, up to all that it may, than look through it: so it is
   * told when the dead plan and the indexes of finished shards have become many bytes.
   */
  private void collectGarbage(long bytesToCome) {
    if (garbageBytes + bytesToCome > GARBAGE_BYTES_MAX) {
      garbageBytes = 0;
      System.gc();
    }
    garbageBytes += bytesToCome;
  }

  private void finish(ShardAssembly assembly) {
    var _ =
        tasks.submit(() -> {
          manifest.require();
          FinishedShard shard = assembly.finish();
          synchronized (assemblies) {
            assemblies.remove(assembly);
            finished.put(assembly.number(), shard);
          }
          room.release(share(assembly.shard()));
          return null;
        });
  }

  /** What a shard takes of the room: enough that there are not many more shards than workers. */
  private int share(PlannedShard shard) {
    return Math.clamp(
        indexBytes(shard), INDEX_BYTES_MAX / (workers + SPARE_SHARDS), INDEX_BYTES_MAX);
  }

  private static long indexBytes(PlannedShard shard) {
    return shard.nameBytes() + (long) INDEX_BYTES_PER_MEMBER * shard.members();
  }

  /** Throws unfinished shards away; that this fails too must not hide why it is done. */
  private void discard(@Nullable Throwable failure) {
    synchronized (assemblies) {
      for (ShardAssembly assembly : assemblies) {
        try {
          assembly.discard();
        } catch (IOException e) {
          if (failure != null) {
            failure.addSuppressed(e);
          }
        }
      }
    }
  }
}
