package dev.tarn.sharder.plan.option;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Locale;

/**
 * What every sample should have.
 *
 * @param extensions in lower case
 * @param missing what is done about a sample that lacks one
 */
public record Requirement(List<String> extensions, Missing missing) {
  /** Samples need nothing. */
  public static final Requirement NONE = new Requirement(List.of(), Missing.ABORT);

  /** What is done about a sample that lacks something. */
  public enum Missing {
    /** It is an error. */
    ABORT,
    /** It is packed all the same, and said. */
    WARN,
    /** It is left out, and said. */
    EXCLUDE
  }

  public Requirement {
    extensions =
        extensions.stream().map(extension -> extension.toLowerCase(Locale.ROOT)).sorted().toList();
    requireNonNull(missing, "missing is null");
    for (String extension : extensions) {
      if (extension.isEmpty() || extension.startsWith(".") || extension.contains("/")) {
        throw new IllegalArgumentException(
            "\"" + extension + "\" is no extension: expected names such as jpg,json");
      }
    }
  }
}
