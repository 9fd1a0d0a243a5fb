package dev.tarn.shard.sample;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A member's name, split into the key of its sample and its extension: at the first dot of the
 * basename, exactly as WebDataset's regular expression does.
 *
 * @param key the path up to the dot
 * @param extension what follows the dot, in lower case
 */
public record SampleName(String key, String extension) {
  public SampleName {
    requireNonNull(key, "key is null");
    requireNonNull(extension, "extension is null");
  }

  /** The parts of a name; null if the member belongs to no sample. */
  public static @Nullable SampleName parse(String name) {
    if (isMetadata(name)) {
      return null;
    }
    int dot = splitAt(name);
    return dot < 0 ? null : new SampleName(name.substring(0, dot), lowerCase(name, dot + 1));
  }

  /** The key's length in a name, or -1 if the name has no key and extension. */
  public static int splitAt(String name) {
    // WebDataset: ^((?:.*/|)[^.]+)[.]([^/]*)$
    int slash = name.lastIndexOf('/');
    int dot = name.indexOf('.', slash + 1);
    if (dot < 0) {
      return -1;
    }
    if (dot > slash + 1 && name.indexOf('\n') < 0) {
      return dot;
    }
    // What the pattern's [^.]+ takes begins at the basename; where that begins with the dot, at the
    // directory before. The pattern's .* does not pass over a line's end.
    int start = dot > slash + 1 ? slash + 1 : name.lastIndexOf('/', slash - 1) + 1;
    int lineEnd = name.indexOf('\n');
    if (lineEnd >= 0 && lineEnd < start) {
      start = name.lastIndexOf('/', lineEnd) + 1;
    }
    int firstDot = name.indexOf('.', start);
    return start < dot && firstDot == dot ? dot : -1;
  }

  /** Whether a name is of the archive's own metadata, such as {@code __info__}: at its root. */
  public static boolean isMetadata(String name) {
    if (!name.startsWith("__")) {
      return false;
    }
    int slash = name.indexOf('/');
    int end = slash < 0 ? name.length() : slash;
    boolean closed = name.startsWith("__", end - 2) && end >= 4;
    // Python's $ also matches before a line's end that ends the name.
    return closed || (slash < 0 && end >= 5 && name.endsWith("__\n"));
  }

  /** The rest of a name, in lower case. */
  static String lowerCase(String name, int from) {
    for (int i = from; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c >= 0x80 || (c >= 'A' && c <= 'Z')) {
        return name.substring(from).toLowerCase(Locale.ROOT);
      }
    }
    return name.substring(from);
  }
}
