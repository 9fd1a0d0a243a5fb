package dev.tarn.examples;

import dev.tarn.client.Checkpoint;
import dev.tarn.client.SampleIterator;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.Shuffle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * Adds up the numbers of a dataset, and goes on where it was killed: {@code ResumeAfterKill
 * s3://data/squares sum.state}. The sum and the checkpoint that belongs to it are saved in one
 * file, so that each number is added once.
 */
final class ResumeAfterKill {
  private ResumeAfterKill() {}

  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[1]);
    List<String> state = Files.exists(file) ? Files.readAllLines(file) : List.of("0");
    long sum = Long.parseLong(state.get(0));
    try (ShardDataset dataset =
            ShardDataset.builder().manifest(args[0]).shuffle(Shuffle.FULL).seed(7).build();
        SampleIterator samples =
            state.size() == 1
                ? dataset.iterate(0)
                : dataset.resume(
                    Checkpoint.parse(String.join("", state.subList(1, state.size()))))) {
      while (samples.hasNext()) {
        sum += Long.parseLong(samples.next().decode("txt", String.class));
        save(file, sum, samples.checkpoint());
        System.out.println("saved " + sum);
      }
    }
    System.out.println("all: " + sum);
  }

  /** There is the state before or this one, whenever the process is killed. */
  private static void save(Path file, long sum, Checkpoint checkpoint) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".fresh");
    Files.write(fresh, List.of(Long.toString(sum), checkpoint.toJson()));
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
