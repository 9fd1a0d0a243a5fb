package dev.tarn.sharder.source;

import java.util.regex.Pattern;

/** Names that others wrote, of files that must stay below the folder that they are unpacked in. */
public final class RelativeNames {
  private static final Pattern ABSOLUTE = Pattern.compile("[/\\\\]|[A-Za-z]:[/\\\\]");
  private static final Pattern UPWARDS =
      Pattern.compile("(?:^|.*[/\\\\])\\.\\.(?:[/\\\\].*|$)", Pattern.DOTALL);

  private RelativeNames() {}

  /** Whether a name is absolute or has ".." for a part, be it written for Unix or for Windows. */
  public static boolean leadsOut(String name) {
    return ABSOLUTE.matcher(name).lookingAt()
        || (name.contains("..") && UPWARDS.matcher(name).matches());
  }
}
