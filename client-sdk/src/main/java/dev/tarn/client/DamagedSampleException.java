package dev.tarn.client;

import dev.tarn.shard.ShardFormatException;

/** One sample is damaged; those behind it can be read. */
final class DamagedSampleException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String member;
  private final ShardFormatException damage;

  /**
   * @param member which cannot be read
   */
  DamagedSampleException(String member, ShardFormatException damage) {
    super(damage);
    this.member = member;
    this.damage = damage;
  }

  String member() {
    return member;
  }

  ShardFormatException damage() {
    return damage;
  }
}
