package dev.tarn.cluster.target.memory;

import dev.tarn.cluster.object.ObjectKey;
import java.util.Comparator;

/** What uploads are ordered by: key, then id. */
record UploadName(ObjectKey key, String uploadId) implements Comparable<UploadName> {
  private static final Comparator<UploadName> ORDER =
      Comparator.comparing(UploadName::key).thenComparing(UploadName::uploadId);

  @Override
  public int compareTo(UploadName other) {
    return ORDER.compare(this, other);
  }
}
