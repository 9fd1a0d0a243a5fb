package dev.tarn.shard.manifest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.compression.Compression;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a manifest. Fields of unknown names are passed over; what is required is listed. */
final class ManifestParser {
  /** Manifests of this version nest four deep; what nests deeper is none. */
  private static final int MAXIMUM_DEPTH = 16;

  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION).build();

  private final String source;
  private final byte[] bytes;

  ManifestParser(String source, byte[] bytes) {
    this.source = source;
    this.bytes = bytes;
  }

  DatasetManifest parse() throws ShardFormatException {
    try (JsonParser json = FACTORY.createParser(bytes)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new ShardFormatException(source, 0, "no dataset manifest: it is not a JSON object");
      }
      JsonFields fields = object(json, 0);
      if (json.nextToken() != null) {
        throw fields.wrong("something follows the manifest's JSON object");
      }
      return manifest(fields);
    } catch (JsonProcessingException e) {
      long offset = e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getByteOffset());
      throw new ShardFormatException(
          source, offset, "the manifest is not JSON: " + e.getOriginalMessage());
    } catch (ShardFormatException e) {
      throw e;
    } catch (IOException e) {
      throw new ShardFormatException(source, 0, "the manifest is not readable: " + e.getMessage());
    }
  }

  private JsonFields object(JsonParser json, int depth) throws IOException {
    JsonFields fields = new JsonFields(source, json.currentTokenLocation().getByteOffset());
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      fields.put(name, value(json, depth));
    }
    return fields;
  }

  private Object value(JsonParser json, int depth) throws IOException {
    if (depth > MAXIMUM_DEPTH) {
      throw new ShardFormatException(
          source, json.currentTokenLocation().getByteOffset(), "JSON nests too deep");
    }
    return switch (json.currentToken()) {
      case VALUE_STRING -> json.getText();
      case VALUE_NUMBER_INT -> json.getLongValue();
      case START_OBJECT -> object(json, depth + 1);
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(json, depth + 1));
        }
        yield list;
      }
      default -> json.currentToken();
    };
  }

  private static DatasetManifest manifest(JsonFields fields) throws ShardFormatException {
    if (!fields.text(ManifestFormat.FORMAT).equals(ManifestFormat.FORMAT_NAME)) {
      throw fields.wrong(
          "no dataset manifest: its format is not \"" + ManifestFormat.FORMAT_NAME + "\"");
    }
    long version = fields.number(ManifestFormat.VERSION);
    if (version != ManifestFormat.VERSION_NUMBER) {
      throw fields.wrong(
          "manifest format version "
              + version
              + "; this reader knows "
              + ManifestFormat.VERSION_NUMBER
              + (version < ManifestFormat.VERSION_NUMBER ? ": pack the dataset again" : ""));
    }
    List<?> required = fields.list(ManifestFormat.REQUIRED);
    if (!required.isEmpty()) {
      throw fields.wrong("the manifest requires features unknown to this reader: " + required);
    }
    try {
      List<PackEntry> packs = new ArrayList<>();
      for (JsonFields pack : objects(fields, ManifestFormat.PACKS)) {
        packs.add(pack(pack));
      }
      List<ShardEntry> shards = new ArrayList<>();
      for (JsonFields shard : objects(fields, ManifestFormat.SHARDS)) {
        shards.add(shard(shard));
      }
      Optional<JsonFields> classes = fields.optionalObject(ManifestFormat.CLASSES);
      DatasetManifest manifest =
          new DatasetManifest(
              packs,
              classes.isPresent() ? Optional.of(file(classes.orElseThrow())) : Optional.empty(),
              shards);
      checkTotals(fields, manifest);
      return manifest;
    } catch (IllegalArgumentException e) {
      throw fields.wrong(String.valueOf(e.getMessage()));
    }
  }

  private static List<JsonFields> objects(JsonFields fields, String name)
      throws ShardFormatException {
    List<JsonFields> objects = new ArrayList<>();
    for (Object object : fields.list(name)) {
      if (!(object instanceof JsonFields objectFields)) {
        throw fields.wrong("\"" + name + "\" holds what is not an object");
      }
      objects.add(objectFields);
    }
    return objects;
  }

  private static PackEntry pack(JsonFields fields) throws ShardFormatException {
    return new PackEntry(
        fields.text(ManifestFormat.ENCODER),
        fields.object(ManifestFormat.OPTIONS).texts(),
        fields.number(ManifestFormat.SHARDS));
  }

  private static ShardEntry shard(JsonFields fields) throws ShardFormatException {
    return new ShardEntry(
        fields.text(ManifestFormat.NAME),
        fields.optionalText(ManifestFormat.SPLIT),
        fields.optionalText(ManifestFormat.COMPRESSION).map(Compression::named),
        fields.number(ManifestFormat.SIZE),
        fields.number(ManifestFormat.SAMPLES),
        fields.number(ManifestFormat.MEMBERS),
        fields.crc32c(ManifestFormat.CRC32C),
        fields.sha256(ManifestFormat.SAMPLES_SHA256),
        file(fields.object(ManifestFormat.INDEX)));
  }

  private static FileEntry file(JsonFields fields) throws ShardFormatException {
    return new FileEntry(
        fields.text(ManifestFormat.NAME),
        fields.number(ManifestFormat.SIZE),
        fields.sha256(ManifestFormat.SHA256));
  }

  private static void checkTotals(JsonFields fields, DatasetManifest manifest)
      throws ShardFormatException {
    boolean right =
        fields.number(ManifestFormat.SAMPLES) == manifest.samples()
            && fields.number(ManifestFormat.MEMBERS) == manifest.members()
            && fields.number(ManifestFormat.SIZE) == manifest.size();
    if (!right) {
      throw fields.wrong("the manifest's totals are not those of its shards");
    }
  }
}
