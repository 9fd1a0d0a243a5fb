package dev.tarn.sharder.plan.option;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Locale;

/**
 * The extensions that every sample should have.
 *
 * @param extensions in lower case
 * @param missing the policy for a sample that lacks one
 */
public record Requirement(List<String> extensions, Missing missing) {
  /** No extension is required. */
  public static final Requirement NONE = new Requirement(List.of(), Missing.ABORT);

  /** The policy for a sample that lacks something. */
  public enum Missing {
    /** The sample is an error. */
    ABORT,
    /** The sample is packed, with a warning. */
    WARN,
    /** The sample is left out, and reported. */
    EXCLUDE
  }

  public Requirement {
    extensions =
        extensions.stream().map(extension -> extension.toLowerCase(Locale.ROOT)).sorted().toList();
    requireNonNull(missing, "missing is null");
    for (String extension : extensions) {
      if (extension.isEmpty() || extension.startsWith(".") || extension.contains("/")) {
        throw new IllegalArgumentException(
            "\"" + extension + "\" is not an extension; expected names such as jpg,json");
      }
    }
  }
}
