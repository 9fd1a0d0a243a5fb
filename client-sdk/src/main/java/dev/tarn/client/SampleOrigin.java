package dev.tarn.client;

/**
 * Which sample something was made of. It holds none of the sample's bytes, so that what waits for
 * the consumer does not keep memory that is counted as given back.
 *
 * @param key the sample's
 * @param url of its shard, without secrets
 * @param offset where it begins in the uncompressed shard
 */
record SampleOrigin(String key, String url, long offset) {
  static SampleOrigin of(Sample sample) {
    return new SampleOrigin(sample.key(), sample.url(), sample.offset());
  }

  @Override
  public String toString() {
    return "sample %s of %s at byte %d".formatted(key, url, offset);
  }
}
