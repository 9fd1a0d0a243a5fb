package dev.tarn.sharder.verify;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * A problem of a dataset or a shard.
 *
 * @param kind the kind of problem
 * @param place the file
 * @param text the actual and the expected value
 * @param repair the command that repairs it, if any
 */
public record Problem(Kind kind, String place, String text, Optional<String> repair) {
  /** The kinds of problems; the JSON output has their names. */
  public enum Kind {
    /** The shard is missing. */
    SHARD_MISSING("shard-missing"),
    /** The shard cannot be read. */
    SHARD_UNREADABLE("shard-unreadable"),
    /** The shard is not a complete archive of samples. */
    SHARD_CORRUPT("shard-corrupt"),
    /** Bytes other than padding follow the archive's end. */
    SHARD_TRAILING("shard-trailing"),
    /** The file's length differs from the manifest or the index. */
    SHARD_SIZE("shard-size"),
    /** The file's CRC32C differs from the manifest or the index. */
    SHARD_CRC32C("shard-crc32c"),
    /** The shard's number of samples or members differs from the manifest. */
    SHARD_COUNT("shard-count"),
    /** The CRC32C of a member's data differs from the index. */
    MEMBER_CRC32C("member-crc32c"),
    /** The shard has no index. */
    INDEX_MISSING("index-missing"),
    /** The index cannot be read, because of permissions or a storage failure. */
    INDEX_UNREADABLE("index-unreadable"),
    /** The file is not an index, or contradicts itself. */
    INDEX_CORRUPT("index-corrupt"),
    /** The index differs from the file in the manifest. */
    INDEX_SHA256("index-sha256"),
    /** The index describes another shard. */
    INDEX_DIFFERS("index-differs"),
    /** The samples' digests differ from the manifest or the index. */
    SAMPLES_SHA256("samples-sha256"),
    /** The file that numbers the classes is missing, or differs from the manifest. */
    CLASSES("classes");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** Returns its name. */
    public String text() {
      return text;
    }
  }

  public Problem {
    requireNonNull(kind, "kind is null");
    requireNonNull(place, "place is null");
    requireNonNull(text, "text is null");
    requireNonNull(repair, "repair is null");
  }

  /** Creates a problem that no command can repair. */
  static Problem of(Kind kind, Object place, String text) {
    return new Problem(kind, place.toString(), text, Optional.empty());
  }

  /** Returns it as one line. */
  @Override
  public String toString() {
    return kind.text() + ": " + place + ": " + text + repair.map(r -> "; repair: " + r).orElse("");
  }
}
