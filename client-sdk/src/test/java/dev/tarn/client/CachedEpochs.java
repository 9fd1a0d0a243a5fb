package dev.tarn.client;

import java.io.IOException;
import java.nio.file.Path;

/** A process that reads epochs by way of a cache. */
final class CachedEpochs {
  private CachedEpochs() {}

  /**
   * Takes a manifest, a folder and its bound; and "ever" or "half". Prints a mark in the middle of
   * the first epoch, and then reads on until it is killed; or waits for its input to end, and reads
   * the other half.
   */
  public static void main(String[] arguments) throws IOException {
    boolean isHalf = arguments[3].equals("half");
    DatasetBuilder builder =
        ShardDataset.builder()
            .manifest(arguments[0])
            .cache(Path.of(arguments[1]), Long.parseLong(arguments[2]));
    if (isHalf) {
      // Few samples at a time: most of the other half is still to be read then.
      builder.memoryBudget(1 << 20).shuffle(Shuffle.FULL).prefetchDepth(0);
    }
    try (ShardDataset dataset = builder.build()) {
      for (long epoch = 0; !isHalf || epoch == 0; epoch++) {
        read(dataset, epoch, isHalf);
      }
    }
  }

  private static void read(ShardDataset dataset, long epoch, boolean waits) throws IOException {
    long half = dataset.sampleCount().orElseThrow() / 2;
    try (SampleIterator samples = dataset.iterate(epoch)) {
      for (long i = 0; samples.hasNext(); i++) {
        samples.next();
        if (epoch == 0 && i == half) {
          System.out.print('!');
          System.out.flush();
          if (waits && System.in.read() >= 0) {
            throw new AssertionError("expected the end of the input");
          }
        }
      }
    }
  }
}
