package dev.tarn.sharder.source.list;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.source.GivenName;
import dev.tarn.sharder.source.SourceFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a row stands for.
 *
 * @param line where it begins, from 1
 * @param file the file that it names, to be looked up; null if it names none
 * @param contents the members that it holds itself
 */
record ListedRow(long line, @Nullable Named file, List<SourceFile> contents) {
  /**
   * A file that a row names.
   *
   * @param name its member's
   * @param path as the list has it
   * @param url where it is
   * @param given what the row says of the member's name; null if the file's name says it all
   */
  record Named(String name, String path, StorageUrl url, @Nullable GivenName given) {
    Named {
      requireNonNull(name, "name is null");
      requireNonNull(path, "path is null");
      requireNonNull(url, "url is null");
    }
  }

  ListedRow {
    contents = List.copyOf(contents);
  }

  /** How many bytes it holds itself. */
  long contentBytes() {
    return contents.stream().mapToLong(SourceFile::size).sum();
  }
}
