package dev.tarn.examples;

import dev.tarn.client.Checkpoint;
import dev.tarn.client.SampleIterator;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.Shuffle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a part of an epoch, which the variables RANK and WORLD_SIZE say: {@code ReadRank
 * s3://data/squares 1000 own.json}. It stops after so many samples and leaves its checkpoint.
 *
 * <p>Further arguments are the checkpoints that all ranks of an earlier run have left: it goes on
 * with what they have not read, however many they were.
 */
final class ReadRank {
  private ReadRank() {}

  public static void main(String[] args) throws IOException {
    int samplesMax = Integer.parseInt(args[1]);
    List<Checkpoint> earlier = new ArrayList<>();
    for (String file : List.of(args).subList(3, args.length)) {
      earlier.add(Checkpoint.parse(Files.readString(Path.of(file))));
    }
    try (ShardDataset dataset =
            ShardDataset.builder().manifest(args[0]).shuffle(Shuffle.SHARDS).seed(7).build();
        SampleIterator samples =
            earlier.isEmpty() ? dataset.iterate(0) : dataset.resume(Checkpoint.merge(earlier))) {
      for (int i = 0; i < samplesMax && samples.hasNext(); i++) {
        System.out.println(samples.next().key());
      }
      Files.writeString(Path.of(args[2]), samples.checkpoint().toJson());
    }
  }
}
