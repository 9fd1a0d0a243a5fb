package dev.tarn.sharder.source.list;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.source.GivenName;
import dev.tarn.sharder.source.ListColumns;
import dev.tarn.sharder.source.RelativeNames;
import dev.tarn.sharder.source.SourceFile;
import dev.tarn.sharder.source.list.ListedRow.Named;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes members from rows. The name of a file's member is the file's path without scheme, bucket or
 * host, or the row's key with the file's extension. Other columns have the same key, and an
 * extension from the column.
 *
 * <p>If the key and the extension come from different names, the planner receives both, because it
 * decides about names with several dots. The names made here are then only for messages.
 */
final class RowReading {
  private final String list;
  private final StorageUrl folder;
  private final ListColumns columns;

  /**
   * @param list its name in messages
   * @param folder the base of relative paths
   */
  RowReading(String list, StorageUrl folder, ListColumns columns) {
    this.list = requireNonNull(list, "list is null");
    this.folder = requireNonNull(folder, "folder is null");
    this.columns = requireNonNull(columns, "columns is null");
  }

  /** Returns the URL of a path in the list. */
  StorageUrl url(String path) {
    return folder.resolve(path);
  }

  ListedRow read(ListRow row) throws IOException {
    try {
      String path = row.cells().get(columns.urlColumn());
      String key = key(row);
      if (path == null && key == null) {
        throw new IllegalArgumentException(
            "names no file in column %s and no key: choose the columns by --url-column or --key-column"
                .formatted(MemberNames.printable(columns.urlColumn())));
      }
      Named file = path == null ? null : named(path, key);
      List<SourceFile> contents = contents(row, key, path == null ? "" : ListedNames.of(path));
      return new ListedRow(row.line(), file, contents);
    } catch (IllegalArgumentException e) {
      throw new IOException("%s line %d: %s".formatted(list, row.line(), e.getMessage()), e);
    }
  }

  private @Nullable String key(ListRow row) {
    if (columns.key().isEmpty()) {
      return null;
    }
    String column = columns.key().orElseThrow();
    String key = row.cells().get(column);
    if (key == null) {
      throw new IllegalArgumentException(
          "no key: column %s is empty".formatted(MemberNames.printable(column)));
    }
    if (RelativeNames.leadsOut(key)) {
      throw new IllegalArgumentException(
          "key %s leads out of where it is unpacked: keys are relative and without \"..\""
              .formatted(MemberNames.printable(key)));
    }
    return key;
  }

  private Named named(String path, @Nullable String key) {
    StorageUrl url = url(path);
    String name = ListedNames.of(path);
    String chosen = columns.members().get(columns.urlColumn());
    if (chosen == null && key == null) {
      return new Named(name, path, url, null);
    }
    String stem = ListedNames.stem(name);
    if (chosen == null && stem.length() == name.length()) {
      throw new IllegalArgumentException(
          "%s has no extension: choose one by --member %s=EXT"
              .formatted(path, columns.urlColumn()));
    }
    String member =
        (key == null ? stem : key)
            + (chosen == null ? name.substring(stem.length()) : "." + chosen);
    return new Named(member, path, url, new GivenName(key, name, chosen));
  }

  private List<SourceFile> contents(ListRow row, @Nullable String key, String file) {
    String stem = key == null ? ListedNames.stem(file) : key;
    List<SourceFile> contents = new ArrayList<>();
    for (Map.Entry<String, String> cell : row.cells().entrySet()) {
      String column = cell.getKey();
      boolean names =
          column.equals(columns.urlColumn()) || columns.key().filter(column::equals).isPresent();
      String extension = names ? "" : columns.extension(column);
      if (!extension.isEmpty()) {
        ByteBuffer text = ByteBuffer.wrap(MemberNames.encode(cell.getValue()));
        if (text.remaining() > SourceFile.CONTENT_BYTES_MAX) {
          throw new IllegalArgumentException(
              "column %s has %d bytes, a list gives at most %d of a member: name a file instead"
                  .formatted(
                      MemberNames.printable(column),
                      text.remaining(),
                      SourceFile.CONTENT_BYTES_MAX));
        }
        GivenName given = new GivenName(key, file, extension);
        contents.add(
            new SourceFile(
                stem + "." + extension, "", text.remaining(), 0, text, given, row.line()));
      }
    }
    return contents;
  }
}
