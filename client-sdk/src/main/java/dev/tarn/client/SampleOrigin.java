package dev.tarn.client;

import dev.tarn.client.internal.read.ReadSample;

/**
 * Names the sample that a value was made of. It holds none of the sample's bytes, so that values
 * that wait for the consumer keep no memory that counts as released.
 *
 * @param key of the sample
 * @param url of its shard, without secrets
 * @param offset where it begins in the uncompressed shard
 */
record SampleOrigin(String key, String url, long offset) {
  static SampleOrigin of(ReadSample sample) {
    return new SampleOrigin(sample.key(), sample.url(), sample.offset());
  }

  @Override
  public String toString() {
    return "sample %s of %s at byte %d".formatted(key, url, offset);
  }
}
