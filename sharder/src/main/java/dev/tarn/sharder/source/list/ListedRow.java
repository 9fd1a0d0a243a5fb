package dev.tarn.sharder.source.list;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.source.GivenName;
import dev.tarn.sharder.source.SourceFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of a row.
 *
 * @param line its first line, from 1
 * @param file the file that it names, to be looked up; null if it names none
 * @param contents the members whose content is in the row
 */
record ListedRow(long line, @Nullable Named file, List<SourceFile> contents) {
  /**
   * A file that a row names.
   *
   * @param name of its member
   * @param path as in the list
   * @param url of the file
   * @param given the parts of the member's name that the row gives; null if {@code name} gives all
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

  /** Returns the size of the contents in the row, in bytes. */
  long contentBytes() {
    return contents.stream().mapToLong(SourceFile::size).sum();
  }
}
