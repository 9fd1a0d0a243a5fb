package dev.tarn.shard.name;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;

/**
 * A notation for many shards in one line: specs joined by {@code ::}, each with bash's braces.
 *
 * <p>{@code {000000..000146}} counts, with the same zero padding as its ends; also downwards, in
 * steps ({@code {0..8..2}}) and through letters ({@code {a..e}}). {@code {x,y{1,2}}} enumerates and
 * nests. {@code {1}} is not an expression and is not changed. A backslash escapes the next
 * character.
 */
public final class ShardSpec {
  /** Maximum number of names; no dataset has more shards, but a typing error may give more. */
  private static final int MAXIMUM_NAMES = 10_000_000;

  private static final String SEPARATOR = "::";

  private final String spec;
  private int at;

  private ShardSpec(String spec) {
    this.spec = spec;
  }

  /**
   * Returns the names of a spec, in its order.
   *
   * @throws IllegalArgumentException if a brace has no partner, or if there are too many names
   */
  public static List<String> expand(String spec) {
    requireNonNull(spec, "spec is null");
    List<String> names = new ArrayList<>();
    int start = 0;
    for (int end; (end = spec.indexOf(SEPARATOR, start)) >= 0; start = end + SEPARATOR.length()) {
      names.addAll(expandOne(spec.substring(start, end)));
    }
    names.addAll(expandOne(spec.substring(start)));
    names.removeIf(String::isEmpty);
    return List.copyOf(names);
  }

  private static List<String> expandOne(String spec) {
    ShardSpec parser = new ShardSpec(spec);
    return parser.sequence(false);
  }

  /** Parses until the end or, inside braces, until a comma or the closing brace. */
  private List<String> sequence(boolean inside) {
    List<String> names = List.of("");
    StringBuilder literal = new StringBuilder();
    while (at < spec.length()) {
      char c = spec.charAt(at);
      if (c == '\\' && at + 1 < spec.length()) {
        literal.append(spec.charAt(at + 1));
        at += 2;
      } else if (c == '{') {
        names = product(product(names, List.of(literal.toString())), braces());
        literal.setLength(0);
      } else if (c == '}' && !inside) {
        throw new IllegalArgumentException(
            "shard spec "
                + PrintableUrl.of(spec)
                + " has a } at character "
                + at
                + " that no { opens");
      } else if (inside && (c == '}' || c == ',')) {
        break;
      } else {
        literal.append(c);
        at++;
      }
    }
    return product(names, List.of(literal.toString()));
  }

  private List<String> braces() {
    int open = at;
    at++;
    List<String> alternatives = new ArrayList<>();
    boolean several = false;
    while (true) {
      int start = at;
      List<String> parsed = sequence(true);
      if (at >= spec.length()) {
        throw new IllegalArgumentException(
            "shard spec "
                + PrintableUrl.of(spec)
                + " has a { at character "
                + open
                + " that no } closes");
      }
      char end = spec.charAt(at);
      if (end == '}' && !several) {
        List<String> range = BraceRange.expand(spec.substring(start, at));
        at++;
        return range.isEmpty() ? product(product(List.of("{"), parsed), List.of("}")) : range;
      }
      alternatives.addAll(parsed);
      at++;
      if (end == '}') {
        return alternatives;
      }
      several = true;
    }
  }

  private List<String> product(List<String> heads, List<String> tails) {
    if ((long) heads.size() * tails.size() > MAXIMUM_NAMES) {
      throw new IllegalArgumentException(
          "shard spec "
              + PrintableUrl.of(spec)
              + " stands for more than "
              + MAXIMUM_NAMES
              + " shards");
    }
    if (tails.size() == 1 && tails.get(0).isEmpty()) {
      return heads;
    }
    List<String> names = new ArrayList<>(heads.size() * tails.size());
    for (String head : heads) {
      for (String tail : tails) {
        names.add(head + tail);
      }
    }
    return names;
  }
}
