package dev.tarn.standalone.config;

import static java.util.Objects.requireNonNull;

import dev.tarn.targetnode.TargetNodeConfig;
import dev.tarn.targetnode.store.StoreSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The measures of a target node.
 *
 * @param workerThreads that read, write and compute what must not happen on an event loop
 * @param workerQueueMax how many steps may wait for a worker; more are refused as overload
 * @param incomingChunksMax chunks of 1.25 MiB for all bodies on their way to the disks
 * @param outgoingBytesKept of direct memory kept for reuse, for each size of buffer
 * @param scrubBytesPerSecond how fast a scrub reads
 * @param lifecyclePeriod from the end of one round of lifecycle rules to the next one's begin
 * @param store of each disk
 */
public record TargetConfig(
    int workerThreads,
    int workerQueueMax,
    int incomingChunksMax,
    long outgoingBytesKept,
    long scrubBytesPerSecond,
    Duration lifecyclePeriod,
    StoreSettings store) {
  /** What one machine wants. */
  public static final TargetConfig DEFAULT = of(TargetNodeConfig.of(Path.of("data")));

  public TargetConfig {
    requireNonNull(store, "store is null");
    if (!lifecyclePeriod.isPositive()) {
      throw new IllegalArgumentException("lifecycle-period is 0, must be positive, such as 1h");
    }
    // The node's own checks, before anything has been started.
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
   * With the folders of this process.
   *
   * @throws IllegalArgumentException if a measure is out of its bounds
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
