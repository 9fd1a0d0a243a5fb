package dev.tarn.shard.manifest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.Map;

/** Writes a manifest as ASCII JSON: fields in a fixed order, one per line. */
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
      json.writeArrayFieldStart(ManifestFormat.PACKS);
      for (PackEntry pack : manifest.packs()) {
        writePack(json, pack);
      }
      json.writeEndArray();
      json.writeNumberField(ManifestFormat.SAMPLES, manifest.samples());
      json.writeNumberField(ManifestFormat.MEMBERS, manifest.members());
      json.writeNumberField(ManifestFormat.SIZE, manifest.size());
      if (manifest.classes().isPresent()) {
        writeFile(json, ManifestFormat.CLASSES, manifest.classes().orElseThrow());
      }
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

  private static void writePack(JsonGenerator json, PackEntry pack) throws IOException {
    json.writeStartObject();
    json.writeStringField(ManifestFormat.ENCODER, pack.encoder());
    json.writeObjectFieldStart(ManifestFormat.OPTIONS);
    for (Map.Entry<String, String> option : pack.options().entrySet()) {
      json.writeStringField(option.getKey(), option.getValue());
    }
    json.writeEndObject();
    json.writeNumberField(ManifestFormat.SHARDS, pack.shards());
    json.writeEndObject();
  }

  private static void writeShard(JsonGenerator json, ShardEntry shard) throws IOException {
    json.writeStartObject();
    json.writeStringField(ManifestFormat.NAME, shard.name());
    if (shard.split().isPresent()) {
      json.writeStringField(ManifestFormat.SPLIT, shard.split().orElseThrow());
    }
    if (shard.compression().isPresent()) {
      json.writeStringField(ManifestFormat.COMPRESSION, shard.compression().orElseThrow().text());
    }
    json.writeNumberField(ManifestFormat.SIZE, shard.size());
    json.writeNumberField(ManifestFormat.SAMPLES, shard.samples());
    json.writeNumberField(ManifestFormat.MEMBERS, shard.members());
    json.writeStringField(ManifestFormat.CRC32C, HexFormat.of().toHexDigits(shard.crc32c()));
    json.writeStringField(ManifestFormat.SAMPLES_SHA256, shard.samplesSha256().hex());
    writeFile(json, ManifestFormat.INDEX, shard.index());
    json.writeEndObject();
  }

  private static void writeFile(JsonGenerator json, String field, FileEntry file)
      throws IOException {
    json.writeObjectFieldStart(field);
    json.writeStringField(ManifestFormat.NAME, file.name());
    json.writeNumberField(ManifestFormat.SIZE, file.size());
    json.writeStringField(ManifestFormat.SHA256, file.sha256().hex());
    json.writeEndObject();
  }
}
