package dev.tarn.shard.manifest;

import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.json.JsonObject;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Parses a manifest. Unknown fields are ignored; features that a reader must support are listed in
 * a field.
 */
final class ManifestParser {
  private final String source;
  private final byte[] bytes;

  ManifestParser(String source, byte[] bytes) {
    this.source = source;
    this.bytes = bytes;
  }

  DatasetManifest parse() throws ShardFormatException {
    return manifest(JsonObject.parse(source, "dataset manifest", bytes));
  }

  private static DatasetManifest manifest(JsonObject fields) throws ShardFormatException {
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
      for (JsonObject pack : fields.objects(ManifestFormat.PACKS)) {
        packs.add(pack(pack));
      }
      List<ShardEntry> shards = new ArrayList<>();
      for (JsonObject shard : fields.objects(ManifestFormat.SHARDS)) {
        shards.add(shard(shard));
      }
      Optional<JsonObject> classes = fields.optionalObject(ManifestFormat.CLASSES);
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

  private static PackEntry pack(JsonObject fields) throws ShardFormatException {
    return new PackEntry(
        fields.text(ManifestFormat.ENCODER),
        fields.object(ManifestFormat.OPTIONS).texts(),
        fields.number(ManifestFormat.SHARDS));
  }

  private static ShardEntry shard(JsonObject fields) throws ShardFormatException {
    return new ShardEntry(
        fields.text(ManifestFormat.NAME),
        fields.optionalText(ManifestFormat.SPLIT),
        fields.optionalText(ManifestFormat.COMPRESSION).map(Compression::named),
        fields.number(ManifestFormat.SIZE),
        fields.number(ManifestFormat.SAMPLES),
        fields.number(ManifestFormat.MEMBERS),
        crc32c(fields),
        sha256(fields, ManifestFormat.SAMPLES_SHA256),
        file(fields.object(ManifestFormat.INDEX)));
  }

  private static FileEntry file(JsonObject fields) throws ShardFormatException {
    return new FileEntry(
        fields.text(ManifestFormat.NAME),
        fields.number(ManifestFormat.SIZE),
        sha256(fields, ManifestFormat.SHA256));
  }

  private static int crc32c(JsonObject fields) throws ShardFormatException {
    String text = fields.text(ManifestFormat.CRC32C);
    if (!text.matches("[0-9a-f]{8}")) {
      throw fields.wrong(
          "the field \"" + ManifestFormat.CRC32C + "\": expected 8 hexadecimal digits");
    }
    return HexFormat.fromHexDigits(text);
  }

  private static Sha256 sha256(JsonObject fields, String name) throws ShardFormatException {
    try {
      return new Sha256(fields.text(name));
    } catch (IllegalArgumentException e) {
      throw fields.wrong("the field \"" + name + "\": " + e.getMessage());
    }
  }

  private static void checkTotals(JsonObject fields, DatasetManifest manifest)
      throws ShardFormatException {
    boolean right =
        fields.number(ManifestFormat.SAMPLES) == manifest.samples()
            && fields.number(ManifestFormat.MEMBERS) == manifest.members()
            && fields.number(ManifestFormat.SIZE) == manifest.size();
    if (!right) {
      throw fields.wrong("the manifest's totals differ from those of its shards");
    }
  }
}
