package dev.tarn.sharder.source;

import java.util.regex.Pattern;

/** Rules for the relative names of files, most of them from untrusted authors. */
public final class RelativeNames {
  private static final Pattern UPWARDS =
      Pattern.compile("(?:^|.*[/\\\\])\\.\\.(?:[/\\\\].*|$)", Pattern.DOTALL);

  private RelativeNames() {}

  /** Returns whether a name is absolute or has a ".." part, in Unix or Windows syntax. */
  public static boolean leadsOut(String name) {
    return isAbsolute(name) || (name.contains("..") && UPWARDS.matcher(name).matches());
  }

  /**
   * Returns whether a part of a name begins with a dot, or is a file or folder that Windows or
   * macOS adds by itself. The parts "." and ".." are not hidden.
   */
  public static boolean isHidden(String name) {
    for (int start = 0, end; start < name.length(); start = end + 1) {
      int slash = name.indexOf('/', start);
      end = slash < 0 ? name.length() : slash;
      if (isHidden(name, start, end - start)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isHidden(String name, int start, int length) {
    return switch (length == 0 ? '/' : name.charAt(start)) {
      case '.' -> length > 1 && (length > 2 || name.charAt(start + 1) != '.');
      case 'T', 't' -> isPart(name, start, length, "Thumbs.db");
      case '_' -> isPart(name, start, length, "__MACOSX");
      default -> false;
    };
  }

  private static boolean isPart(String name, int start, int length, String part) {
    return length == part.length() && name.regionMatches(true, start, part, 0, length);
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
