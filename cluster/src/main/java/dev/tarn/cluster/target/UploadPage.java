package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectKey;
import java.util.List;

/**
 * A page of a bucket's open uploads.
 *
 * @param entries in order of key or common prefix; of one key, in order of upload id, which is the
 *     order of time where the upload is held here
 * @param truncated whether there are more
 * @param partial whether entries of targets that are out may be missing; never sent by a target
 */
public record UploadPage(List<Entry> entries, boolean truncated, boolean partial) {
  public UploadPage {
    entries = List.copyOf(requireNonNull(entries, "entries is null"));
  }

  /** A page with the entries of all targets. */
  public UploadPage(List<Entry> entries, boolean truncated) {
    this(entries, truncated, false);
  }

  /** This page, marked as partial. */
  UploadPage asPartial() {
    return new UploadPage(entries, truncated, true);
  }

  /** An upload or a group of uploads. */
  public sealed interface Entry {
    /** The key or the common prefix. */
    ObjectKey key();
  }

  /**
   * An upload.
   *
   * @param initiatedMs when it began, in milliseconds since 1970
   */
  public record UploadEntry(ObjectKey key, String uploadId, long initiatedMs, UploadDetails details)
      implements Entry {
    public UploadEntry {
      requireNonNull(key, "key is null");
      requireNonNull(uploadId, "uploadId is null");
      requireNonNull(details, "details is null");
    }
  }

  /** All uploads whose keys begin with these bytes. */
  public record CommonPrefix(ObjectKey key) implements Entry {
    public CommonPrefix {
      requireNonNull(key, "key is null");
    }
  }
}
