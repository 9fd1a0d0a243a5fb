package dev.tarn.sharder.cli.option;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.source.ListColumns;
import dev.tarn.sharder.source.open.OpenSources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of sources. */
@Command
public final class SourcesMixin {
  /** The description of a SOURCE, shared by all commands that take sources. */
  public static final String DESCRIPTION =
      "A directory; s3://bucket/prefix; an archive, local or in S3 (.tar, .tar.gz, .tgz, .tar.zst,"
          + " .tar.xz, .tar.bz2, .zip); a list of URLs and paths (.txt and .lst: one a line;"
          + " .jsonl, .ndjson, .csv, .tsv: one a row, the other columns are members); or a dataset"
          + " (.../dataset.json).";

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

  @Option(
      names = "--hidden",
      description =
          "Pack hidden files too: those with a part of their name that begins with a dot, Thumbs.db"
              + " and __MACOSX (default: they are left out and counted, except those that a list or"
              + " a dataset names).")
  private boolean hidden;

  @Option(
      names = "--ignore-zeros",
      description =
          "Read tar archives on past the zeros at their end, so that all archives of a file are"
              + " packed that lie one behind the other (default: bytes other than zeros behind an"
              + " archive's end are an error).")
  private boolean ignoreZeros;

  /** Returns whether tar archives are read on past their end. */
  public boolean ignoresZeros() {
    return ignoreZeros;
  }

  /** Returns whether hidden files are packed. */
  public boolean takesHidden() {
    return hidden;
  }

  /**
   * Returns the meaning of the columns of lists.
   *
   * @param from the sources
   * @throws IllegalArgumentException if an extension is invalid, or if options are given and no
   *     source is a list
   */
  public ListColumns columns(List<StorageUrl> from) {
    boolean isGiven = urlColumn != null || keyColumn != null || !members.isEmpty();
    if (isGiven && from.stream().noneMatch(OpenSources::isList)) {
      throw new IllegalArgumentException(
          "--url-column, --key-column and --member need a SOURCE that is a list");
    }
    return new ListColumns(Optional.ofNullable(urlColumn), Optional.ofNullable(keyColumn), members);
  }
}
