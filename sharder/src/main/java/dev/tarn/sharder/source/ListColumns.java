package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.name.MemberNames;
import java.util.Map;
import java.util.Optional;

/**
 * What the columns of lists mean.
 *
 * @param url the column that names a file; without a choice, the one named {@code url}
 * @param key the column that names the sample; without one, the file's name does
 * @param members the extensions of the members that columns become, by column; an empty one leaves
 *     its column out. Columns that are not among them become members of their own name, and the
 *     file's member has the file's extension.
 */
public record ListColumns(Optional<String> url, Optional<String> key, Map<String, String> members) {
  /** What is taken where nothing else is said. */
  public static final ListColumns DEFAULT =
      new ListColumns(Optional.empty(), Optional.empty(), Map.of());

  private static final String URL = "url";

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if an extension cannot be one
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

  /** The column that names a file. */
  public String urlColumn() {
    return url.orElse(URL);
  }

  /**
   * The extension of the member that a column becomes; empty for none.
   *
   * @throws IllegalArgumentException if its name cannot be one
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
