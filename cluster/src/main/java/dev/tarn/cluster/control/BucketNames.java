package dev.tarn.cluster.control;

import java.util.Optional;
import java.util.regex.Pattern;

/** S3's rules for bucket names. */
public final class BucketNames {
  /** In characters, each of which is one byte. */
  public static final int LENGTH_MIN = 3;

  /** In characters, each of which is one byte. */
  public static final int LENGTH_MAX = 63;

  private static final Pattern ALLOWED = Pattern.compile("[a-z0-9.-]*");
  private static final Pattern IPV4 = Pattern.compile("\\d+\\.\\d+\\.\\d+\\.\\d+");
  private static final String[] RESERVED_PREFIXES = {"xn--", "sthree-", "amzn-s3-demo-"};
  private static final String[] RESERVED_SUFFIXES = {"-s3alias", "--ol-s3", ".mrap", "--x-s3"};

  private BucketNames() {}

  /** The broken rule and the remedy, as a sentence; empty for a legal name. */
  public static Optional<String> problem(String name) {
    return rule(name).map(rule -> "bucket name '" + shown(name) + "' " + rule);
  }

  /**
   * The broken rule of a new bucket's name; empty for a legal name. These rules may become
   * stricter. Those of {@link #problem} must not: logs with older buckets are replayed under them.
   */
  public static Optional<String> problemOfNew(String name) {
    return problem(name)
        .or(() ->
            name.contains(".-") || name.contains("-.")
                ? Optional.of("bucket name '" + name + "' must not have a dot beside a hyphen")
                : Optional.empty());
  }

  private static Optional<String> rule(String name) {
    if (name.length() < LENGTH_MIN || name.length() > LENGTH_MAX) {
      return Optional.of(
          "has " + name.length() + " characters, must have " + LENGTH_MIN + " to " + LENGTH_MAX);
    }
    if (!ALLOWED.matcher(name).matches()) {
      return Optional.of("must consist of a-z, 0-9, '.' and '-'");
    }
    if (!isAlphanumeric(name.charAt(0)) || !isAlphanumeric(name.charAt(name.length() - 1))) {
      return Optional.of("must begin and end with one of a-z or 0-9");
    }
    if (name.contains("..")) {
      return Optional.of("must not have two dots side by side");
    }
    if (IPV4.matcher(name).matches()) {
      return Optional.of("must not look like an IP address");
    }
    return reserved(name);
  }

  private static Optional<String> reserved(String name) {
    for (String prefix : RESERVED_PREFIXES) {
      if (name.startsWith(prefix)) {
        return Optional.of("must not begin with '" + prefix + "', which S3 reserves");
      }
    }
    for (String suffix : RESERVED_SUFFIXES) {
      if (name.endsWith(suffix)) {
        return Optional.of("must not end with '" + suffix + "', which S3 reserves");
      }
    }
    return Optional.empty();
  }

  private static boolean isAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  }

  /** A form for logs and answers: short, without control characters for a terminal. */
  private static String shown(String name) {
    String head = name.length() > LENGTH_MAX ? name.substring(0, LENGTH_MAX) + "..." : name;
    return head.replaceAll("\\p{Cntrl}", "?");
  }
}
