package dev.tarn.sharder.plan.option;

import dev.tarn.shard.name.MemberNames;
import java.util.Locale;

/**
 * The policy for a file whose name has several dots, such as {@code im.v2.jpg}. Readers take the
 * part before the first dot as the key, which groups it with {@code im.v3.jpg}.
 */
public enum Dots {
  /** The name stays; key and extension are separated at the first dot. */
  KEEP,
  /** All dots except the last become underscores, so they are part of the key. */
  REPLACE,
  /** The file is an error. */
  REFUSE;

  /** Returns the name on the command line and in the manifest. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Applies the policy to a key that an option gives; a dot would end such a key early.
   *
   * @param origin the option that gives the key
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

  /** Returns the extension in a file's name, in its original case; "" if there is none. */
  public String extension(String name) throws PlanException {
    String applied = apply(name);
    int dot = applied.indexOf('.', applied.lastIndexOf('/') + 1);
    return dot < 0 ? "" : applied.substring(dot + 1);
  }

  /** Applies the policy to a file's name; returns the member's name. */
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
    // A dot at the start of the base name marks a hidden file; it does not end a key.
    int from = name.charAt(base) == '.' ? base + 1 : base;
    return last <= from
        ? name
        : name.substring(0, from)
            + name.substring(from, last).replace('.', '_')
            + name.substring(last);
  }
}
