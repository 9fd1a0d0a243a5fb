package dev.tarn.shard.manifest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.tarn.shard.ShardFormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

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
              + ManifestFormat.VERSION_NUMBER);
    }
    List<?> required = fields.list(ManifestFormat.REQUIRED);
    if (!required.isEmpty()) {
      throw fields.wrong("the manifest requires features unknown to this reader: " + required);
    }
    try {
      List<ShardEntry> shards = new ArrayList<>();
      for (Object shard : fields.list(ManifestFormat.SHARDS)) {
        if (!(shard instanceof JsonFields shardFields)) {
          throw fields.wrong("\"" + ManifestFormat.SHARDS + "\" holds what is not an object");
        }
        shards.add(shard(shardFields));
      }
      DatasetManifest manifest =
          new DatasetManifest(
              fields.text(ManifestFormat.ENCODER),
              options(fields.object(ManifestFormat.OPTIONS)),
              shards);
      checkTotals(fields, manifest);
      return manifest;
    } catch (IllegalArgumentException e) {
      throw fields.wrong(String.valueOf(e.getMessage()));
    }
  }

  private static PackOptions options(JsonFields fields) throws ShardFormatException {
    return new PackOptions(
        fields.text(ManifestFormat.PATTERN),
        fields.optionalNumber(ManifestFormat.MAXIMUM_COUNT),
        fields.number(ManifestFormat.MAXIMUM_SIZE),
        fields.optionalNumber(ManifestFormat.SEED),
        fields.text(ManifestFormat.DOTS),
        fields.number(ManifestFormat.TIME));
  }

  private static ShardEntry shard(JsonFields fields) throws ShardFormatException {
    JsonFields index = fields.object(ManifestFormat.INDEX);
    return new ShardEntry(
        fields.text(ManifestFormat.NAME),
        fields.number(ManifestFormat.SIZE),
        fields.number(ManifestFormat.SAMPLES),
        fields.number(ManifestFormat.MEMBERS),
        fields.sha256(ManifestFormat.SHA256),
        fields.sha256(ManifestFormat.SAMPLES_SHA256),
        new ShardEntry.IndexEntry(
            index.text(ManifestFormat.NAME),
            index.number(ManifestFormat.SIZE),
            index.sha256(ManifestFormat.SHA256)));
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
