package dev.tarn.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.client.write.ShardWriter;
import java.io.IOException;
import java.util.Map;

/** Writes a dataset of numbers and their squares: {@code WriteDataset s3://data/squares 1000}. */
final class WriteDataset {
  private WriteDataset() {}

  public static void main(String[] args) throws IOException {
    try (ShardWriter writer = ShardWriter.builder(args[0]).samplesMax(100).build()) {
      for (int i = 0; i < Integer.parseInt(args[1]); i++) {
        writer.write("%06d".formatted(i), Map.of("txt", ("" + (long) i * i).getBytes(UTF_8)));
      }
      writer.commit();
    }
  }
}
