package dev.tarn.sharder.source;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.hash.Hash64;

/** The marks by which a file that changed is known. */
final class Stamps {
  private Stamps() {}

  /** Of an object: some servers quote an ETag in one answer and not in another. */
  static long ofEtag(String etag) {
    return Hash64.mixed(Hash64.fnv1a(MemberNames.encode(etag.replace("\"", ""))));
  }
}
