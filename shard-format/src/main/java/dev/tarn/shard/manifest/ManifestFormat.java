package dev.tarn.shard.manifest;

/** The names of fields in a manifest; docs/DATASET_FORMAT.md describes them for all languages. */
final class ManifestFormat {
  static final String FORMAT_NAME = "tarn-dataset";
  static final int VERSION_NUMBER = 2;

  static final String FORMAT = "format";
  static final String VERSION = "version";
  static final String REQUIRED = "required";
  static final String PACKS = "packs";
  static final String ENCODER = "encoder";
  static final String OPTIONS = "options";
  static final String SAMPLES = "samples";
  static final String MEMBERS = "members";
  static final String SIZE = "size";
  static final String CLASSES = "classes";
  static final String SHARDS = "shards";

  static final String NAME = "name";
  static final String SPLIT = "split";
  static final String COMPRESSION = "compression";
  static final String CRC32C = "crc32c";
  static final String SHA256 = "sha256";
  static final String SAMPLES_SHA256 = "samples_sha256";
  static final String INDEX = "index";

  private ManifestFormat() {}
}
