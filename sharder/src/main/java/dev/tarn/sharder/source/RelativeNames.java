package dev.tarn.sharder.source;

import java.util.regex.Pattern;

/**
 * Names from untrusted authors, for files that must stay inside the folder they are unpacked into.
 */
public final class RelativeNames {
  private static final Pattern UPWARDS =
      Pattern.compile("(?:^|.*[/\\\\])\\.\\.(?:[/\\\\].*|$)", Pattern.DOTALL);

  private RelativeNames() {}

  /** Returns whether a name is absolute or has a ".." part, in Unix or Windows syntax. */
  public static boolean leadsOut(String name) {
    return isAbsolute(name) || (name.contains("..") && UPWARDS.matcher(name).matches());
  }

  private static boolean isAbsolute(String name) {
    return isSlashAt(name, 0)
        || (isSlashAt(name, 2) && name.charAt(1) == ':' && isLetter(name.charAt(0)));
  }

  private static boolean isSlashAt(String name, int index) {
    return name.length() > index && (name.charAt(index) == '/' || name.charAt(index) == '\\');
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
}
