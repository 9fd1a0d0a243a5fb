package dev.tarn.sharder.source;

import dev.tarn.shard.Hash64;
import dev.tarn.shard.name.MemberNames;
import java.nio.file.attribute.FileTime;

/** Stamps, which detect that a file has changed. */
public final class Stamps {
  private Stamps() {}

  /**
   * Returns the stamp of an object. Quotes are ignored: some servers do not always quote an ETag.
   */
  public static long ofEtag(String etag) {
    return Hash64.mixed(Hash64.fnv1a(MemberNames.encode(etag.replace("\"", ""))));
  }

  /** Returns the stamp of a local file, from the time of its last change. */
  public static long ofTime(FileTime time) {
    return ofMillis(time.toMillis());
  }

  /** Returns a stamp like {@link #ofTime}; time 0 gets another stamp, because 0 means "unknown". */
  static long ofMillis(long time) {
    return time == 0 ? Long.MIN_VALUE : time;
  }
}
