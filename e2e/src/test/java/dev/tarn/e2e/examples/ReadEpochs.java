package dev.tarn.e2e.examples;

import dev.tarn.client.Sample;
import dev.tarn.client.SampleIterator;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.Shuffle;
import java.io.IOException;
import java.util.function.Consumer;

/** Iterates a dataset in ten lines. */
final class ReadEpochs {
  private ReadEpochs() {}

  static void run(String url, int epochs, Consumer<Sample> train) throws IOException {
    // begin example
    try (ShardDataset dataset =
        ShardDataset.builder().manifest(url).seed(7).shuffle(Shuffle.blocks(16 << 20)).build()) {
      for (int epoch = 0; epoch < epochs; epoch++) {
        try (SampleIterator samples = dataset.iterate(epoch)) {
          for (Sample sample : samples) {
            train.accept(sample); // sample.get("jpg") is valid until the next sample
          }
        }
      }
    }
    // end example
  }
}
