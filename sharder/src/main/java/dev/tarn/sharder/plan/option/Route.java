package dev.tarn.sharder.plan.option;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.manifest.ShardPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Packs some samples into shards with other names.
 *
 * @param keys of the samples
 * @param pattern of the shards' names; if absent, the samples are left out
 */
public record Route(KeyGlob keys, Optional<ShardPattern> pattern) {
  private static final Pattern LINE = Pattern.compile("(\\S+)\\s+(?:to\\s+)?(\\S+)");
  private static final String LEFT_OUT = "-";

  /** Some editors write it at the start of UTF-8 text. */
  private static final String BYTE_ORDER_MARK = "\ufeff";

  public Route {
    requireNonNull(keys, "keys is null");
    requireNonNull(pattern, "pattern is null");
  }

  /**
   * Parses routes. A line has a pattern of keys, optionally the word "to", and a pattern of shard
   * names or {@code -}. A # at the start of a line or after white space begins a comment.
   *
   * @param source its name in messages
   * @throws IllegalArgumentException naming the line, if a route is invalid
   */
  public static List<Route> parse(String source, String text) {
    List<Route> routes = new ArrayList<>();
    int number = 0;
    String plain = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    for (String line : plain.lines().toList()) {
      number++;
      String words = line.replaceFirst("(^|\\s)#.*", "").strip();
      if (words.isEmpty()) {
        continue;
      }
      Matcher matcher = LINE.matcher(words);
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            source
                + " line "
                + number
                + ": expected KEYS to SHARDS, such as train/n0144* to fish-%06d.tar");
      }
      try {
        routes.add(of(matcher.group(1), matcher.group(2)));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(source + " line " + number + ": " + e.getMessage(), e);
      }
    }
    return routes;
  }

  private static Route of(String keys, String shards) {
    return new Route(
        KeyGlob.of(keys),
        shards.equals(LEFT_OUT) ? Optional.empty() : Optional.of(new ShardPattern(shards)));
  }

  /** Returns the route as a line that {@link #parse} reads. */
  String line() {
    return keys.text() + " " + pattern.map(ShardPattern::text).orElse(LEFT_OUT);
  }
}
