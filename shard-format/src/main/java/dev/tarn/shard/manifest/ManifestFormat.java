package dev.tarn.shard.manifest;

/** The names in a manifest; docs/DATASET_FORMAT.md describes them for every language. */
final class ManifestFormat {
  static final String FORMAT_NAME = "tarn-dataset";
  static final int VERSION_NUMBER = 1;

  static final String FORMAT = "format";
  static final String VERSION = "version";
  static final String REQUIRED = "required";
  static final String ENCODER = "encoder";
  static final String OPTIONS = "options";
  static final String SAMPLES = "samples";
  static final String MEMBERS = "members";
  static final String SIZE = "size";
  static final String SHARDS = "shards";

  static final String PATTERN = "pattern";
  static final String MAXIMUM_COUNT = "max_count";
  static final String MAXIMUM_SIZE = "max_size";
  static final String SEED = "seed";
  static final String DOTS = "dots";
  static final String TIME = "time";

  static final String NAME = "name";
  static final String SHA256 = "sha256";
  static final String SAMPLES_SHA256 = "samples_sha256";
  static final String INDEX = "index";

  private ManifestFormat() {}
}
