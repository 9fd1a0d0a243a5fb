package dev.tarn.targetnode.store.residents;

/** Keeps what was used last. Each candidate enters. For comparison and for tests. */
public final class Lru implements CachePolicy {
  @Override
  public double valueOfResident(BucketUse bucket, int bytes, Use use, int now) {
    return 1.0 / (1 + use.idle(now));
  }

  @Override
  public double valueOfCandidate(BucketUse bucket, int bytes, Use use) {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double valueOfWritten() {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double margin() {
    return 1;
  }

  @Override
  public int oneReferenceTicks(BucketUse bucket) {
    return 0;
  }
}
