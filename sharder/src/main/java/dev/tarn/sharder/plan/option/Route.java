package dev.tarn.sharder.plan.option;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.manifest.ShardPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sends samples to shards of their own.
 *
 * @param keys of the samples
 * @param pattern the shards' names; samples without one are left out
 */
public record Route(KeyGlob keys, Optional<ShardPattern> pattern) {
  private static final Pattern LINE = Pattern.compile("(\\S+)\\s+(?:to\\s+)?(\\S+)");
  private static final String LEFT_OUT = "-";

  /** Some editors put it before a text in UTF-8. */
  private static final String BYTE_ORDER_MARK = "\ufeff";

  public Route {
    requireNonNull(keys, "keys is null");
    requireNonNull(pattern, "pattern is null");
  }

  /**
   * Reads routes: lines of a pattern of keys, the word "to" if one likes, and a pattern of shards'
   * names or {@code -}; what follows a # at a line's beginning or behind a blank is a comment.
   *
   * @param source its name in messages
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

  /** As a line that {@link #parse} reads. */
  String line() {
    return keys.text() + " " + pattern.map(ShardPattern::text).orElse(LEFT_OUT);
  }
}
