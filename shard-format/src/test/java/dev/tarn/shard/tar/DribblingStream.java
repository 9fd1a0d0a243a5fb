package dev.tarn.shard.tar;

import java.io.ByteArrayInputStream;
import java.util.Random;

/** A stream that delivers as networks do: a few bytes at a time, and none available in advance. */
final class DribblingStream extends ByteArrayInputStream {
  private final Random random;

  DribblingStream(byte[] bytes, Random random) {
    super(bytes);
    this.random = random;
  }

  @Override
  public synchronized int read(byte[] target, int offset, int length) {
    return super.read(target, offset, Math.min(length, 1 + random.nextInt(50_000)));
  }

  @Override
  public synchronized int available() {
    return 0;
  }
}
