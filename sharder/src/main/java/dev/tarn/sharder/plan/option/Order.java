package dev.tarn.sharder.plan.option;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.Hash64;

/**
 * The order of samples.
 *
 * @param kind the kind of order
 * @param seed of a shuffle, otherwise 0
 */
public record Order(Kind kind, long seed) {
  /** By the bytes of their keys. */
  public static final Order BY_KEY = new Order(Kind.KEY, 0);

  /** In the order of the sources. */
  public static final Order BY_SOURCE = new Order(Kind.SOURCE, 0);

  /** The kinds of order. */
  public enum Kind {
    KEY,
    SOURCE,
    SHUFFLE
  }

  public Order {
    requireNonNull(kind, "kind is null");
    if (kind != Kind.SHUFFLE && seed != 0) {
      throw new IllegalArgumentException("only a shuffle has a seed");
    }
  }

  /** By places that depend only on the seed and the sample's key. */
  public static Order shuffled(long seed) {
    return new Order(Kind.SHUFFLE, seed);
  }

  /** Returns the unsigned place in a shuffle of the key at the start of a name. */
  public long place(byte[] name, int keyLength) {
    return Hash64.mixed(Hash64.fnv1a(name, 0, keyLength) + Hash64.mixed(seed));
  }
}
