package dev.tarn.shard.name;

import java.util.regex.Pattern;

/** For messages about text that is meant as a URL, whether or not it is one. */
public final class PrintableUrl {
  /** Where any character may be a name's, and nothing stands before the bucket. */
  private static final Pattern LITERAL =
      Pattern.compile("file:(?!//).*|(file|memory|s3)://[^/:@]*(/.*)?", Pattern.DOTALL);

  private static final Pattern QUERY_OR_FRAGMENT = Pattern.compile("[?#]");

  private PrintableUrl() {}

  /**
   * The text without what it may hold of secrets: user, password, query and fragment. A password
   * may hold any character, so all up to the last {@code @} is taken for one; text without {@code
   * //} and names in file, memory and s3 URLs stay as they are.
   */
  public static String of(String text) {
    int slashes = text.indexOf("//");
    if (slashes < 0 || LITERAL.matcher(text).matches()) {
      return text;
    }
    String start = text.substring(0, slashes + 2);
    String[] parts = QUERY_OR_FRAGMENT.split(text.substring(slashes + 2), 2);
    if (parts.length > 1 && parts[1].contains("@")) {
      // Either a query that holds it, or the rest of a password: nothing tells which.
      return start + "...";
    }
    return start + parts[0].substring(parts[0].lastIndexOf('@') + 1);
  }
}
