package dev.tarn.shard.manifest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes a manifest as JSON: fields in a fixed order, one a line, in ASCII. */
final class ManifestWriter {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private ManifestWriter() {}

  static byte[] write(DatasetManifest manifest) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
      json.setPrettyPrinter(
          new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));
      json.writeStartObject();
      json.writeStringField(ManifestFormat.FORMAT, ManifestFormat.FORMAT_NAME);
      json.writeNumberField(ManifestFormat.VERSION, ManifestFormat.VERSION_NUMBER);
      json.writeArrayFieldStart(ManifestFormat.REQUIRED);
      json.writeEndArray();
      json.writeStringField(ManifestFormat.ENCODER, manifest.encoder());
      writeOptions(json, manifest.options());
      json.writeNumberField(ManifestFormat.SAMPLES, manifest.samples());
      json.writeNumberField(ManifestFormat.MEMBERS, manifest.members());
      json.writeNumberField(ManifestFormat.SIZE, manifest.size());
      json.writeArrayFieldStart(ManifestFormat.SHARDS);
      for (ShardEntry shard : manifest.shards()) {
        writeShard(json, shard);
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  private static void writeOptions(JsonGenerator json, PackOptions options) throws IOException {
    json.writeObjectFieldStart(ManifestFormat.OPTIONS);
    json.writeStringField(ManifestFormat.PATTERN, options.pattern());
    if (options.maximumCount().isPresent()) {
      json.writeNumberField(ManifestFormat.MAXIMUM_COUNT, options.maximumCount().orElseThrow());
    }
    json.writeNumberField(ManifestFormat.MAXIMUM_SIZE, options.maximumSize());
    if (options.seed().isPresent()) {
      json.writeNumberField(ManifestFormat.SEED, options.seed().orElseThrow());
    }
    json.writeStringField(ManifestFormat.DOTS, options.dots());
    json.writeNumberField(ManifestFormat.TIME, options.time());
    json.writeEndObject();
  }

  private static void writeShard(JsonGenerator json, ShardEntry shard) throws IOException {
    json.writeStartObject();
    json.writeStringField(ManifestFormat.NAME, shard.name());
    json.writeNumberField(ManifestFormat.SIZE, shard.size());
    json.writeNumberField(ManifestFormat.SAMPLES, shard.samples());
    json.writeNumberField(ManifestFormat.MEMBERS, shard.members());
    json.writeStringField(ManifestFormat.SHA256, shard.sha256().hex());
    json.writeStringField(ManifestFormat.SAMPLES_SHA256, shard.samplesSha256().hex());
    json.writeObjectFieldStart(ManifestFormat.INDEX);
    json.writeStringField(ManifestFormat.NAME, shard.index().name());
    json.writeNumberField(ManifestFormat.SIZE, shard.index().size());
    json.writeStringField(ManifestFormat.SHA256, shard.index().sha256().hex());
    json.writeEndObject();
    json.writeEndObject();
  }
}
