package dev.tarn.sharder.source;

import dev.tarn.shard.hash.Hash64;
import dev.tarn.shard.name.MemberNames;
import java.nio.file.attribute.FileTime;

/** The marks by which a file that changed is known. */
public final class Stamps {
  private Stamps() {}

  /** Of an object: some servers quote an ETag in one answer and not in another. */
  public static long ofEtag(String etag) {
    return Hash64.mixed(Hash64.fnv1a(MemberNames.encode(etag.replace("\"", ""))));
  }

  /** Of a local file, by the time of its last change. */
  public static long ofTime(FileTime time) {
    return ofMillis(time.toMillis());
  }

  /** As {@link #ofTime}; 0 is no mark, so the very beginning of 1970 has another. */
  static long ofMillis(long time) {
    return time == 0 ? Long.MIN_VALUE : time;
  }
}
