package dev.tarn.sharder.pack;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.compress.BlockCompressor;
import dev.tarn.sharder.compress.Compressors;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.PlannedShard;
import dev.tarn.sharder.plan.option.ShardCompression;
import dev.tarn.sharder.source.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
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
 * The threads of one run: the workers, and one more thread for each shard that is being finished.
 * Finishing waits for the device or the network, so workers continue with other shards.
 */
final class PackRun {
  /** Maximum bytes of the indexes of open shards; a single larger index is still allowed. */
  private static final int INDEX_BYTES_MAX = 48 * 1024 * 1024;

  /** An index is in memory twice: as its parts, then as a file. */
  private static final int INDEX_COPIES = 2;

  /** Garbage of planning and listing, in bytes per file. */
  private static final int PLAN_GARBAGE_BYTES_PER_MEMBER = 32;

  /** Shards that may be finishing while every worker fills another one. */
  private static final int SPARE_SHARDS = 2;

  private static final int COMPRESSING_WORKERS_MAX = 16;

  /** Maximum bytes of the compressing workers: each has two block buffers and a compressor. */
  private static final long COMPRESSING_BYTES_MAX = 256 * 1024 * 1024;

  /** Maximum number of open shards on S3: each has a part in memory. */
  private static final int REMOTE_SHARDS_MAX = 8;

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

  /** The open shards. This lock guards {@link #finished} as well. */
  private final List<ShardAssembly> assemblies = new ArrayList<>();

  private final Map<Integer, FinishedShard> finished = new HashMap<>();

  private final Garbage garbage = new Garbage();

  PackRun(Plan plan, Storage storage, StorageUrl dataset, int jobs) {
    this.plan = plan;
    this.storage = storage;
    this.dataset = dataset;
    this.manifest = new ManifestPlace(storage, dataset, plan.header().base());
    this.compression = plan.header().options().compression();
    this.workers = compression.method().isEmpty() ? jobs : Math.min(jobs, compressingWorkersMax());
    garbage.add((long) PLAN_GARBAGE_BYTES_PER_MEMBER * plan.header().members());
  }

  /**
   * Writes shards.
   *
   * @param shards their numbers in the plan
   * @throws ShardRestartException if the caller must retry, because a sample was lost after some of
   *     it was written
   * @throws IOException the first failure; it stops all workers
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

  /** Returns the finished shards by number; complete when the run has ended. */
  Map<Integer, FinishedShard> finished() {
    return Map.copyOf(finished);
  }

  private void submitWorkers(List<Integer> shards, Supplier<SampleReading> reading) {
    Buffers buffers;
    Supplier<BlockPacking> packing;
    if (compression.method().isEmpty()) {
      buffers = Buffers.plain(workers, plan.header().largestSample());
      packing = () -> BlockPacking.plain(reading.get());
    } else {
      try (BlockCompressor compressor = Compressors.open(compression)) {
        buffers = Buffers.compressed(workers, compressor);
      }
      int length = buffers.blockLengthMax();
      packing = () -> BlockPacking.compressed(reading.get(), Compressors.open(compression), length);
    }
    BlockQueue queue = new BlockQueue(shards, buffers.blockLengthMax(), this::open);
    for (int i = 0; i < workers; i++) {
      tasks.submit(() -> packBlocks(queue, buffers, packing));
    }
  }

  /** Runs one worker: packs blocks until there are no more. */
  private static @Nullable Void packBlocks(
      BlockQueue queue, Buffers buffers, Supplier<BlockPacking> opening)
      throws IOException, InterruptedException {
    try (BlockPacking packing = opening.get()) {
      while (packNext(queue, buffers, packing)) {
        // continue with the next block
      }
    }
    return null;
  }

  /**
   * Takes a buffer before its block: the block that must be written next then always has a buffer.
   */
  private static boolean packNext(BlockQueue queue, Buffers buffers, BlockPacking packing)
      throws IOException, InterruptedException {
    ByteBuffer buffer = buffers.take();
    SampleBlock block = queue.next();
    if (block == null) {
      buffers.put(buffer);
      return false;
    }
    boolean fits = block.length() <= buffers.blockLengthMax();
    PackedMembers packed = fits ? packing.pack(block, buffer) : null;
    block.shard().add(new ShardAssembly.Filled(block, buffer, packed), packing, buffers);
    return true;
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
    garbage.add(INDEX_COPIES * shard.indexBytes());
    ShardAssembly assembly =
        new ShardAssembly(number, plan.shard(number), compression, storage, dataset, this::finish);
    synchronized (assemblies) {
      assemblies.add(assembly);
    }
    return assembly;
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

  /**
   * Returns a shard's share of the index memory. The minimum limits the number of open shards to
   * slightly more than the workers.
   */
  private int share(PlannedShard shard) {
    int shards = workers + SPARE_SHARDS;
    boolean local = dataset.scheme() == StorageUrl.Scheme.FILE;
    int shardsMax = local ? shards : Math.min(shards, REMOTE_SHARDS_MAX);
    return Math.clamp(shard.indexBytes(), INDEX_BYTES_MAX / shardsMax, INDEX_BYTES_MAX);
  }

  private int compressingWorkersMax() {
    long bytes =
        2L * Buffers.COMPRESSED_BLOCK_LENGTH_MAX + Compressors.bytesOutsideHeap(compression);
    return Math.clamp(COMPRESSING_BYTES_MAX / bytes, 1, COMPRESSING_WORKERS_MAX);
  }

  /**
   * Discards unfinished shards; a failure to do so is suppressed, so that it does not hide the
   * cause.
   */
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
