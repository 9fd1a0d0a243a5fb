import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.tarn.client.DatasetBuilder;
import dev.tarn.client.DatasetException;
import dev.tarn.client.Sample;
import dev.tarn.client.SampleIterator;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.Shuffle;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;

/**
 * What the SDK reads, a line of JSON for each sample: shard, key, and each member's extension and
 * SHA-256; or shard and error.
 *
 * <pre>
 * ReadSamples stored|shuffled|number|key DATASET
 * ReadSamples shards LIST          each line of LIST a shard, read as it comes
 * ReadSamples indexed LIST CACHE   the same with indexes that are made and kept in CACHE
 * </pre>
 */
final class ReadSamples {
  private final JsonGenerator out;

  private ReadSamples(JsonGenerator out) {
    this.out = out;
  }

  public static void main(String[] arguments) throws IOException {
    JsonFactory json = JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    try (JsonGenerator out =
        json.createGenerator(
            new BufferedWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), US_ASCII)))) {
      out.setRootValueSeparator(null);
      ReadSamples reading = new ReadSamples(out);
      switch (arguments[0]) {
        case "shards" -> reading.shards(arguments[1], shard -> {});
        case "indexed" ->
            reading.shards(arguments[1], shard -> shard.cache(Path.of(arguments[2])));
        default -> reading.dataset(arguments[0], arguments[1]);
      }
    }
  }

  private void dataset(String way, String url) throws IOException {
    Shuffle shuffle = way.equals("shuffled") ? Shuffle.FULL : Shuffle.NONE;
    try (ShardDataset dataset = ShardDataset.builder().manifest(url).shuffle(shuffle).build()) {
      if (way.equals("number")) {
        for (long number = 0; number < dataset.sampleCount().orElseThrow(); number++) {
          print("", dataset.get(number));
        }
        return;
      }
      try (SampleIterator samples = dataset.iterate(0)) {
        samples.forEachRemaining(
            sample -> print("", way.equals("key") ? dataset.get(sample.key()) : sample));
      }
    }
  }

  private void shards(String list, Consumer<DatasetBuilder> setting) throws IOException {
    for (String shard : Files.readAllLines(Path.of(list))) {
      DatasetBuilder builder = ShardDataset.builder().shards(List.of(shard));
      setting.accept(builder);
      try (ShardDataset dataset = builder.build();
          SampleIterator samples = dataset.iterate(0)) {
        samples.forEachRemaining(sample -> print(shard, sample));
      } catch (IOException | DatasetException e) {
        out.writeStartObject();
        out.writeStringField("shard", shard);
        out.writeStringField("error", String.valueOf(e.getMessage()));
        out.writeEndObject();
        out.writeRaw('\n');
      }
    }
  }

  private void print(String shard, Sample sample) {
    try {
      out.writeStartObject();
      out.writeStringField("shard", shard);
      out.writeStringField("key", sample.key());
      out.writeArrayFieldStart("members");
      for (String extension : sample.extensions()) {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(sample.get(extension));
        out.writeStartArray();
        out.writeString(extension);
        out.writeString(HexFormat.of().formatHex(digest.digest()));
        out.writeEndArray();
      }
      out.writeEndArray();
      out.writeEndObject();
      out.writeRaw('\n');
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
