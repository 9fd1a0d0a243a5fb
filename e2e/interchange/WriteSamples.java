import dev.tarn.client.Sample;
import dev.tarn.client.SampleIterator;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.write.ShardWriter;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes the samples of a dataset into another, by the SDK's own writer, but for members whose
 * extension is empty or begins with a dot, which it refuses: {@code WriteSamples FROM TO}.
 */
final class WriteSamples {
  private WriteSamples() {}

  public static void main(String[] arguments) throws IOException {
    try (ShardDataset dataset = ShardDataset.builder().manifest(arguments[0]).build();
        SampleIterator samples = dataset.iterate(0);
        ShardWriter writer = ShardWriter.builder(arguments[1]).samplesMax(40).build()) {
      while (samples.hasNext()) {
        Sample sample = samples.next();
        Map<String, byte[]> members = new HashMap<>();
        for (String extension : sample.extensions()) {
          if (!extension.isEmpty() && !extension.startsWith(".")) {
            members.put(extension, sample.bytes(extension));
          }
        }
        if (!members.isEmpty()) {
          writer.write(sample.key(), members);
        }
      }
      writer.commit();
    }
  }
}
