package dev.tarn.sharder.verify;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * What is wrong with a dataset or a shard.
 *
 * @param kind what kind of problem it is
 * @param place the file
 * @param text what is found there, and what is expected
 * @param repair the command that makes it right, if one does
 */
public record Problem(Kind kind, String place, String text, Optional<String> repair) {
  /** The kinds of problems; programs know them by their names. */
  public enum Kind {
    /** The shard is not there. */
    SHARD_MISSING("shard-missing"),
    /** The shard cannot be read. */
    SHARD_UNREADABLE("shard-unreadable"),
    /** The shard is no whole archive of samples. */
    SHARD_CORRUPT("shard-corrupt"),
    /** The file has another length than the manifest or the index says. */
    SHARD_SIZE("shard-size"),
    /** The file has another CRC32C than the manifest or the index says. */
    SHARD_CRC32C("shard-crc32c"),
    /** The shard has another number of samples or members than the manifest says. */
    SHARD_COUNT("shard-count"),
    /** A member's data has another CRC32C than the index says. */
    MEMBER_CRC32C("member-crc32c"),
    /** The shard has no index. */
    INDEX_MISSING("index-missing"),
    /** The index may not be read, or the storage fails to read it. */
    INDEX_UNREADABLE("index-unreadable"),
    /** The index is none, or contradicts itself. */
    INDEX_CORRUPT("index-corrupt"),
    /** The index is not the file that the manifest names. */
    INDEX_SHA256("index-sha256"),
    /** The index describes another shard. */
    INDEX_DIFFERS("index-differs"),
    /** The samples' digests are others than the manifest or the index says. */
    SAMPLES_SHA256("samples-sha256"),
    /** The file that numbers the classes is missing or another. */
    CLASSES("classes");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** Its name. */
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

  /** A problem that no command makes right. */
  static Problem of(Kind kind, Object place, String text) {
    return new Problem(kind, place.toString(), text, Optional.empty());
  }

  /** In a line. */
  @Override
  public String toString() {
    return kind.text() + ": " + place + ": " + text + repair.map(r -> "; repair: " + r).orElse("");
  }
}
