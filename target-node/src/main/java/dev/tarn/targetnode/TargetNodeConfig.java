package dev.tarn.targetnode;

import static java.util.Objects.requireNonNull;

import dev.tarn.targetnode.store.StoreSettings;
import java.nio.file.Path;
import java.util.List;

/**
 * The configuration of a target node.
 *
 * @param dataDirectory where the node keeps its own files, such as the list of its disks
 * @param disks the directory of each disk; usually a file system each
 * @param store the settings of the store of each disk
 * @param workerThreads for reads, writes and computations that must not run on an event loop
 * @param workerQueueMax how many steps may wait for a worker; more fail as overloaded
 * @param incomingChunksMax chunks of 1.25 MiB for all bodies on their way to the disks; for each
 *     chunk, bodies gather 256 KiB of first bytes outside of chunks
 * @param outgoingBytesKept direct memory kept for reuse, in bytes for each size of buffer
 * @param scrubBytesPerSecond the greatest rate of a scrub
 */
public record TargetNodeConfig(
    Path dataDirectory,
    List<Path> disks,
    StoreSettings store,
    int workerThreads,
    int workerQueueMax,
    int incomingChunksMax,
    long outgoingBytesKept,
    long scrubBytesPerSecond) {
  public TargetNodeConfig {
    requireNonNull(dataDirectory, "dataDirectory is null");
    disks = List.copyOf(requireNonNull(disks, "disks is null"));
    if (disks.isEmpty()) {
      throw new IllegalArgumentException("disks is empty, must name at least one directory");
    }
    if (disks.stream().distinct().count() != disks.size()) {
      throw new IllegalArgumentException("disks names a directory twice: " + disks);
    }
    requireNonNull(store, "store is null");
    requirePositive("workerThreads", workerThreads);
    requirePositive("workerQueueMax", workerQueueMax);
    requirePositive("incomingChunksMax", incomingChunksMax);
    requirePositive("outgoingBytesKept", outgoingBytesKept);
    requirePositive("scrubBytesPerSecond", scrubBytesPerSecond);
  }

  /** A node with all its files in one directory. */
  public static TargetNodeConfig of(Path dataDirectory) {
    return of(dataDirectory, List.of(dataDirectory.resolve("disk0")));
  }

  /** A node with these disks. */
  public static TargetNodeConfig of(Path dataDirectory, List<Path> disks) {
    return new TargetNodeConfig(
        dataDirectory, disks, StoreSettings.DEFAULT, 16, 16_384, 128, 16L << 20, 100L << 20);
  }

  private static void requirePositive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " is " + value + ", must be positive");
    }
  }
}
