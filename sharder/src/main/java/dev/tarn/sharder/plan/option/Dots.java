package dev.tarn.sharder.plan.option;

import dev.tarn.shard.name.MemberNames;
import java.util.Locale;

/**
 * What to do about a file whose name has several dots, such as {@code im.v2.jpg}: readers take what
 * stands before the first one for the key, which groups it with {@code im.v3.jpg}.
 */
public enum Dots {
  /** Its name stays; key and extension part at the first dot. */
  KEEP,
  /** All its dots but the last become underscores, so that the key holds them. */
  REPLACE,
  /** It is an error. */
  REFUSE;

  /** The name on the command line and in the manifest. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The key of a file whose name does not give it: its own dots would end it early.
   *
   * @param origin the option that gives it
   */
  public String applyToKey(String file, String origin, String key) throws PlanException {
    int base = key.lastIndexOf('/') + 1;
    if (key.indexOf('.', base) < 0) {
      return key;
    }
    if (this != REPLACE) {
      throw new PlanException(
          MemberNames.printable(file)
              + ": "
              + origin
              + " gives it the key "
              + MemberNames.printable(key)
              + ", whose dot readers would take for its end; choose --dots replace");
    }
    return key.substring(0, base) + key.substring(base).replace('.', '_');
  }

  /** The extension in a file's name, as it is spelled, whatever the key is; empty for none. */
  public String extension(String name) throws PlanException {
    String applied = apply(name);
    int dot = applied.indexOf('.', applied.lastIndexOf('/') + 1);
    return dot < 0 ? "" : applied.substring(dot + 1);
  }

  /** The member's name of a file's name. */
  public String apply(String name) throws PlanException {
    int base = name.lastIndexOf('/') + 1;
    int last = name.lastIndexOf('.');
    if (this == KEEP || last < base || name.indexOf('.', base) == last) {
      return name;
    }
    if (this == REFUSE) {
      throw new PlanException(
          name
              + ": several dots, of which the first would end the key; rename it, or choose"
              + " --dots keep or --dots replace");
    }
    // A dot that begins the basename hides the file; it does not end a key.
    int from = name.charAt(base) == '.' ? base + 1 : base;
    return last <= from
        ? name
        : name.substring(0, from)
            + name.substring(from, last).replace('.', '_')
            + name.substring(last);
  }
}
