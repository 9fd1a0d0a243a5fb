package dev.tarn.cluster.target;

import dev.tarn.cluster.object.BucketId;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeEach;

/**
 * The contract suite. A subclass gives a target, and every test asks it for what {@link
 * ObjectTarget} promises. Each test has a bucket of its own, so a target may be kept between tests.
 */
public abstract class ObjectTargetContract
    implements ReadContract, WriteContract, ListContract, MultipartContract, CopyContract {
  private CallScope scope = new CallScope(new BucketId(1), 1, 1);

  @BeforeEach
  final void openBucket() {
    scope = openBucket(new BucketId(1 + ThreadLocalRandom.current().nextLong(Long.MAX_VALUE - 1)));
  }

  /** Makes the bucket known to the target, and gives the scope under which it is called. */
  protected CallScope openBucket(BucketId bucket) {
    return new CallScope(bucket, 1, 1);
  }

  @Override
  public final CallScope scope() {
    return scope;
  }
}
