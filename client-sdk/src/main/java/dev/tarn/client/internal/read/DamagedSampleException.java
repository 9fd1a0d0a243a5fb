package dev.tarn.client.internal.read;

import dev.tarn.shard.ShardFormatException;

/** One sample cannot be read; the samples after it can. */
public final class DamagedSampleException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String member;
  private final ShardFormatException damage;

  /**
   * Describes the damage.
   *
   * @param member name of the member that cannot be read
   */
  DamagedSampleException(String member, ShardFormatException damage) {
    super(damage);
    this.member = member;
    this.damage = damage;
  }

  /** The name of the member that cannot be read. */
  public String member() {
    return member;
  }

  /** The damage of the sample. */
  public ShardFormatException damage() {
    return damage;
  }
}
