package dev.tarn.examples;

import dev.tarn.client.Sample;
import dev.tarn.client.SampleIterator;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.Shuffle;
import java.io.IOException;

/** Reads a dataset in ten lines: {@code ReadDataset s3://data/train}. */
final class ReadDataset {
  private ReadDataset() {}

  public static void main(String[] args) throws IOException {
    try (ShardDataset dataset =
            ShardDataset.builder().manifest(args[0]).shuffle(Shuffle.SHARDS).seed(7).build();
        SampleIterator samples = dataset.iterate(0)) {
      while (samples.hasNext()) {
        Sample sample = samples.next();
        System.out.println(sample.key() + ": " + sample.decode("txt"));
      }
    }
  }
}
