package dev.tarn.sharder.cli.output;

import java.util.Locale;

/** Prints numbers of things: "1 shard", "2,000 shards". */
public final class Counted {
  private Counted() {}

  /**
   * A number of things.
   *
   * @param noun of one of them
   */
  public static String of(long count, String noun) {
    String plural = noun.endsWith("x") ? noun + "es" : noun + "s";
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? noun : plural);
  }
}
