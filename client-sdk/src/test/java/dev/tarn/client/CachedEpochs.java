package dev.tarn.client;

import java.io.IOException;
import java.nio.file.Path;

/** A process that reads epochs by way of a cache until it is killed. */
final class CachedEpochs {
  private CachedEpochs() {}

  /** Takes a manifest, a folder and its bound; prints a mark in the middle of the first epoch. */
  public static void main(String[] arguments) throws IOException {
    try (ShardDataset dataset =
        ShardDataset.builder()
            .manifest(arguments[0])
            .cache(Path.of(arguments[1]), Long.parseLong(arguments[2]))
            .build()) {
      for (long epoch = 0; ; epoch++) {
        read(dataset, epoch);
      }
    }
  }

  private static void read(ShardDataset dataset, long epoch) {
    long half = dataset.sampleCount().orElseThrow() / 2;
    try (SampleIterator samples = dataset.iterate(epoch)) {
      for (long i = 0; samples.hasNext(); i++) {
        samples.next();
        if (epoch == 0 && i == half) {
          System.out.print('!');
          System.out.flush();
        }
      }
    }
  }
}
