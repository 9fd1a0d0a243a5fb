package dev.tarn.sharder.index;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.tarn.client.storage.StorageUrl;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;

/** The list of shards for wids, WebDataset's library for random access. */
public final class WidsIndex {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private WidsIndex() {}

  /**
   * Returns the file's bytes.
   *
   * @param file its URL; shards below its folder have relative names
   */
  public static ByteBuffer of(StorageUrl file, List<IndexedShard> shards) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      json.writeStringField("__kind__", "wids-shard-index-v1");
      json.writeNumberField("wids_version", 1);
      json.writeStringField("name", file.name().replaceFirst("\\.json$", ""));
      json.writeArrayFieldStart("shardlist");
      for (IndexedShard shard : shards) {
        json.writeStartObject();
        json.writeStringField("url", name(file, shard.place().url()));
        json.writeNumberField("nsamples", shard.samples());
        json.writeNumberField("filesize", shard.size());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory does not fail", e);
    }
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  private static String name(StorageUrl file, StorageUrl shard) {
    try {
      return shard.nameUnder(file.parent());
    } catch (IllegalArgumentException e) {
      return shard.toString();
    }
  }
}
