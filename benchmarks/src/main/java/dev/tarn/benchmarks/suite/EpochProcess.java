package dev.tarn.benchmarks.suite;

import dev.tarn.client.SampleIterator;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.Shuffle;
import java.io.IOException;

/** The main class of a process that only reads a dataset. */
public final class EpochProcess {
  static final long BUDGET_BYTES = 64L << 20;

  private static final long SHUFFLE_BLOCK_BYTES = 16L << 20;

  private EpochProcess() {}

  /** Reads whole epochs. The arguments are a manifest and the minimum of bytes to read. */
  public static void main(String[] arguments) throws IOException {
    long bytesMin = Long.parseLong(arguments[1]);
    long bytes = 0;
    try (ShardDataset dataset =
        ShardDataset.builder()
            .manifest(arguments[0])
            .memoryBudget(BUDGET_BYTES)
            .shuffle(Shuffle.blocks(SHUFFLE_BLOCK_BYTES))
            .build()) {
      for (long epoch = 0; bytes < bytesMin; epoch++) {
        bytes += read(dataset, epoch);
      }
    }
    System.out.println(bytes);
  }

  private static long read(ShardDataset dataset, long epoch) {
    long bytes = 0;
    try (SampleIterator samples = dataset.iterate(epoch)) {
      while (samples.hasNext()) {
        bytes += samples.next().size();
      }
    }
    return bytes;
  }
}
