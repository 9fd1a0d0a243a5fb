package dev.tarn.standalone.config;

import static java.util.Objects.requireNonNull;

import dev.tarn.targetnode.TargetNodeConfig;
import dev.tarn.targetnode.store.StoreSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The threads, buffers and rates of a target node.
 *
 * @param workerThreads threads for blocking I/O and long computations, which must not run on an
 *     event loop
 * @param workerQueueMax how many steps may wait for a worker; further steps are rejected as
 *     overload
 * @param incomingChunksMax chunks of 1.25 MiB for all bodies on their way to the disks; for each
 *     chunk, bodies gather 256 KiB of first bytes outside of chunks
 * @param outgoingBytesKept bytes of direct memory kept for reuse, for each size of buffer
 * @param scrubBytesPerSecond how many bytes a scrub reads per second
 * @param lifecyclePeriod the time from the end of one round of lifecycle rules to the next round
 * @param store the settings of each disk's store
 */
public record TargetConfig(
    int workerThreads,
    int workerQueueMax,
    int incomingChunksMax,
    long outgoingBytesKept,
    long scrubBytesPerSecond,
    Duration lifecyclePeriod,
    StoreSettings store) {
  /** The defaults for this machine. */
  public static final TargetConfig DEFAULT = of(TargetNodeConfig.of(Path.of("data")));

  public TargetConfig {
    requireNonNull(store, "store is null");
    if (!lifecyclePeriod.isPositive()) {
      throw new IllegalArgumentException("lifecycle-period is 0, must be positive, such as 1h");
    }
    // Runs the checks of the node's configuration before any part is started.
    TargetNodeConfig _ =
        new TargetNodeConfig(
            Path.of("data"),
            List.of(Path.of("disk")),
            store,
            workerThreads,
            workerQueueMax,
            incomingChunksMax,
            outgoingBytesKept,
            scrubBytesPerSecond);
  }

  private static TargetConfig of(TargetNodeConfig config) {
    return new TargetConfig(
        config.workerThreads(),
        config.workerQueueMax(),
        config.incomingChunksMax(),
        config.outgoingBytesKept(),
        config.scrubBytesPerSecond(),
        Duration.ofHours(1),
        config.store());
  }

  /**
   * The node's configuration with the folders of this process.
   *
   * @throws IllegalArgumentException if a value is out of its bounds
   */
  public TargetNodeConfig forNode(Path data, List<Path> disks) {
    return new TargetNodeConfig(
        data,
        disks,
        store,
        workerThreads,
        workerQueueMax,
        incomingChunksMax,
        outgoingBytesKept,
        scrubBytesPerSecond);
  }
}
