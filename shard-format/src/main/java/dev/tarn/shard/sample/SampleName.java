package dev.tarn.shard.sample;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A member's name, split at the first dot of the base name into the key of its sample and its
 * extension. The split is exactly that of WebDataset's regular expression.
 *
 * @param key the path up to the dot
 * @param extension the part after the dot, in lower case
 */
public record SampleName(String key, String extension) {
  /** Fields that readers add to each sample; they would take the place of a member's content. */
  private static final Set<String> READERS_FIELDS =
      Set.of("__key__", "__url__", "__local_path__", "__bad__");

  public SampleName {
    requireNonNull(key, "key is null");
    requireNonNull(extension, "extension is null");
  }

  /** Returns the parts of a name; null if the member belongs to no sample. */
  public static @Nullable SampleName parse(String name) {
    if (isMetadata(name)) {
      return null;
    }
    int dot = splitAt(name);
    return dot < 0 ? null : new SampleName(name.substring(0, dot), lowerCase(name, dot + 1));
  }

  /** Returns the key's length in a name; -1 if the name has no key and extension. */
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
    // The pattern's [^.]+ starts at the base name; if the base name begins with the dot, it starts
    // at the directory before. The pattern's .* does not match a line end.
    int start = dot > slash + 1 ? slash + 1 : name.lastIndexOf('/', slash - 1) + 1;
    int lineEnd = name.indexOf('\n');
    if (lineEnd >= 0 && lineEnd < start) {
      start = name.lastIndexOf('/', lineEnd) + 1;
    }
    int firstDot = name.indexOf('.', start);
    return start < dot && firstDot == dot ? dot : -1;
  }

  /** Returns whether a name is archive metadata in the root folder, such as {@code __info__}. */
  public static boolean isMetadata(String name) {
    if (!name.startsWith("__")) {
      return false;
    }
    int slash = name.indexOf('/');
    int end = slash < 0 ? name.length() : slash;
    boolean closed = name.startsWith("__", end - 2) && end >= 4;
    // Python's $ also matches before a line end at the end of the name.
    return closed || (slash < 0 && end >= 5 && name.endsWith("__\n"));
  }

  /**
   * Returns whether the extension is the name of a field that readers add to each sample, such as
   * {@code __key__}: WebDataset fails at such a member, others overwrite it.
   */
  public boolean isReserved() {
    return READERS_FIELDS.contains(extension);
  }

  /** Returns the rest of a name, in lower case. */
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
