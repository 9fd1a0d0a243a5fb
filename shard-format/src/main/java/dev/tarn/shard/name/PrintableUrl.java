package dev.tarn.shard.name;

import java.util.regex.Pattern;

/** Removes secrets from texts in messages that may be URLs. */
public final class PrintableUrl {
  /** URLs whose paths may have any character, and which have no user before the bucket. */
  private static final Pattern LITERAL =
      Pattern.compile("file:(?!//).*|(file|memory|s3)://[^/:@]*(/.*)?", Pattern.DOTALL);

  private static final Pattern QUERY_OR_FRAGMENT = Pattern.compile("[?#]");

  private PrintableUrl() {}

  /**
   * Returns the text without parts that may be secret: user, password, query and fragment. A
   * password may have any character, so everything up to the last {@code @} is removed. Text
   * without {@code //}, and names in file, memory and s3 URLs, are not changed.
   */
  public static String of(String text) {
    int slashes = text.indexOf("//");
    if (slashes < 0 || LITERAL.matcher(text).matches()) {
      return text;
    }
    String start = text.substring(0, slashes + 2);
    String[] parts = QUERY_OR_FRAGMENT.split(text.substring(slashes + 2), 2);
    if (parts.length > 1 && parts[1].contains("@")) {
      // Either a query with an @, or the rest of a password: this is ambiguous.
      return start + "...";
    }
    return start + parts[0].substring(parts[0].lastIndexOf('@') + 1);
  }
}
