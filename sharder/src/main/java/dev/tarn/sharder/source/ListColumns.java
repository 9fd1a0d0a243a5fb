package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.name.MemberNames;
import java.util.Map;
import java.util.Optional;

/**
 * The meaning of the columns of lists.
 *
 * @param url the column that names a file; by default {@code url}
 * @param key the column that names the sample; by default the file's name gives the key
 * @param members the extensions of the members that columns become, by column; a column with an
 *     empty extension is left out. Other columns become members named after the column. The member
 *     of the file has the file's extension.
 */
public record ListColumns(Optional<String> url, Optional<String> key, Map<String, String> members) {
  /** The default meaning of columns. */
  public static final ListColumns DEFAULT =
      new ListColumns(Optional.empty(), Optional.empty(), Map.of());

  private static final String URL = "url";

  /**
   * Validates the extensions.
   *
   * @throws IllegalArgumentException if an extension has a slash or a NUL
   */
  public ListColumns {
    requireNonNull(url, "url is null");
    requireNonNull(key, "key is null");
    members = Map.copyOf(members);
    members.forEach((column, extension) -> {
      if (!extension.isEmpty() && !isExtension(extension)) {
        throw new IllegalArgumentException(
            "--member %s=%s: an extension has no slash and no NUL".formatted(column, extension));
      }
    });
  }

  /** Returns the column that names a file. */
  public String urlColumn() {
    return url.orElse(URL);
  }

  /**
   * Returns the extension of the member that a column becomes; "" for none.
   *
   * @throws IllegalArgumentException if the column's name is not a valid extension
   */
  public String extension(String column) {
    String extension = members.getOrDefault(column, column);
    if (!members.containsKey(column) && !isExtension(column)) {
      throw new IllegalArgumentException(
          "column %s cannot be an extension: choose one by --member COLUMN=EXT"
              .formatted(MemberNames.printable(column)));
    }
    return extension;
  }

  private static boolean isExtension(String text) {
    return !text.isEmpty() && text.indexOf('/') < 0 && text.indexOf('\0') < 0;
  }
}
