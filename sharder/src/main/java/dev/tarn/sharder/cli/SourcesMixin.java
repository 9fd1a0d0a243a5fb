package dev.tarn.sharder.cli;

import dev.tarn.sharder.source.ListColumns;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of sources. */
@Command
final class SourcesMixin {
  /** What a SOURCE is, for every command that takes some. */
  static final String DESCRIPTION =
      "A directory; s3://bucket/prefix; an archive, local or in S3 (.tar, .tar.gz, .tar.zst,"
          + " .tar.xz, .tar.bz2, .zip); or a list of URLs and paths (.txt and .lst: one a line;"
          + " .jsonl, .csv, .tsv: one a row, the other columns are members).";

  @Option(
      names = "--url-column",
      paramLabel = "COLUMN",
      description = "The column of lists that names a file by URL or path (default: url).")
  private @Nullable String urlColumn;

  @Option(
      names = "--key-column",
      paramLabel = "COLUMN",
      description = "The column of lists that is the sample's key (default: the file's path).")
  private @Nullable String keyColumn;

  @Option(
      names = "--member",
      paramLabel = "COLUMN=EXT",
      description =
          "The extension of the member that a column of lists becomes (default: the column's name;"
              + " of files their own). COLUMN= leaves it out. May be repeated.")
  private Map<String, String> members = Map.of();

  /**
   * What the columns of lists mean.
   *
   * @throws IllegalArgumentException if an extension cannot be one
   */
  ListColumns columns() {
    return new ListColumns(Optional.ofNullable(urlColumn), Optional.ofNullable(keyColumn), members);
  }
}
