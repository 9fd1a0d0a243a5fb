package dev.tarn.cluster.target;

import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeEach;

/**
 * The contract suite. A subclass gives a target, and every test asks it for what {@link
 * ObjectTarget} promises. Each test has a bucket of its own, so a target may be kept between tests.
 */
public abstract class ObjectTargetContract
    implements ReadContract, WriteContract, ListContract, MultipartContract, CopyContract {
  private final Map<BucketId, Versioning> versioning = new ConcurrentHashMap<>();
  private CallScope scope = new CallScope(new BucketId(1), 1, 1);

  @BeforeEach
  final void openBucket() {
    scope = openBucket(new BucketId(1 + ThreadLocalRandom.current().nextLong(Long.MAX_VALUE - 1)));
  }

  /** Makes the bucket known to the target, and gives the scope under which it is called. */
  protected CallScope openBucket(BucketId bucket) {
    return new CallScope(bucket, 1, 1);
  }

  /** What the target has to know of a bucket's versioning: off until a test says otherwise. */
  protected final Versioning versioning(BucketId bucket) {
    return versioning.getOrDefault(bucket, Versioning.OFF);
  }

  @Override
  public final CallScope scope() {
    return scope;
  }

  @Override
  public final void setVersioning(Versioning changed) {
    versioning.put(scope.bucket(), changed);
  }
}
