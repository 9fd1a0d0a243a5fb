package dev.tarn.sharder.plan.option;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of the samples, selected by a hash of their keys.
 *
 * @param name of the part and of the folder of its shards
 * @param fraction of all samples, above 0 and at most 1
 */
public record Split(String name, BigDecimal fraction) {
  private static final Pattern FORMAT = Pattern.compile("([^=/,\\s]+)=(\\d{1,9}(?:\\.\\d{1,18})?)");

  public Split {
    requireNonNull(name, "name is null");
    requireNonNull(fraction, "fraction is null");
    if (name.isEmpty() || name.startsWith(".") || name.contains("/")) {
      throw new IllegalArgumentException("split \"" + name + "\": its name cannot be a folder's");
    }
    if (fraction.signum() <= 0 || fraction.compareTo(BigDecimal.ONE) > 0) {
      throw new IllegalArgumentException("split " + name + ": a fraction is above 0, at most 1");
    }
  }

  /** Parses splits such as {@code train=0.9,val=0.1}; their fractions must sum to 1. */
  public static List<Split> parse(String text) {
    List<Split> splits = new ArrayList<>();
    Set<String> names = new HashSet<>();
    BigDecimal sum = BigDecimal.ZERO;
    for (String part : text.split(",", -1)) {
      Matcher matcher = FORMAT.matcher(part.strip());
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            "\"" + part + "\": expected names with fractions, such as train=0.9,val=0.1");
      }
      Split split = new Split(matcher.group(1), new BigDecimal(matcher.group(2)));
      if (!names.add(split.name)) {
        throw new IllegalArgumentException("split " + split.name + " is there twice");
      }
      splits.add(split);
      sum = sum.add(split.fraction);
    }
    if (sum.compareTo(BigDecimal.ONE) != 0) {
      throw new IllegalArgumentException(
          "the fractions of " + text + " make " + sum.toPlainString() + " together, not 1");
    }
    return splits;
  }

  @Override
  public String toString() {
    return name + "=" + fraction.toPlainString();
  }
}
