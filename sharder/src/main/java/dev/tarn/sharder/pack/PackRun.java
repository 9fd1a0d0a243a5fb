package dev.tarn.sharder.pack;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.compress.BlockCompressor;
import dev.tarn.sharder.compress.Compressors;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.PlannedShard;
import dev.tarn.sharder.plan.option.ShardCompression;
import dev.tarn.sharder.progress.Progress;
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
 * The threads of one run: workers, and beside them one for each shard that is being finished, since
 * that waits for the device or the network while the workers have work.
 */
final class PackRun {
  /** Bytes that the indexes of the shards under way may take, unless a single one takes more. */
  private static final int INDEX_BYTES_MAX = 48 * 1024 * 1024;

  /** An index is in memory as its parts, then once more as a file. */
  private static final int INDEX_COPIES = 2;

  /** What planning and listing leave behind for each file. */
  private static final int PLAN_GARBAGE_BYTES_PER_MEMBER = 32;

  /** Shards that are finished while every worker is at another. */
  private static final int SPARE_SHARDS = 2;

  private static final int COMPRESSING_WORKERS_MAX = 16;

  /** What those that compress may take: each has two buffers of a block, and what compresses. */
  private static final long COMPRESSING_BYTES_MAX = 256 * 1024 * 1024;

  /** Shards under way to S3: each has a part in memory. */
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

  /** Those under way; guarded by itself, like the finished ones. */
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

  /** The work of one thread: packs blocks until none is left. */
  private static @Nullable Void packBlocks(
      BlockQueue queue, Buffers buffers, Supplier<BlockPacking> opening)
      throws IOException, InterruptedException {
    try (BlockPacking packing = opening.get()) {
      while (packNext(queue, buffers, packing)) {
        // goes on with the next
      }
    }
    return null;
  }

  /**
   * Takes a buffer before its block: then the block that is due always has one, and the others can
   * wait for it.
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

  /** What a shard takes of the room: enough that there are not many more shards than workers. */
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
