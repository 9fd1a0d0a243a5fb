package dev.tarn.gateway.admin;

import dev.tarn.cluster.control.Bucket;
import java.util.concurrent.CompletionStage;

/** Finds whether a bucket is empty. */
public interface BucketContents {
  /** Whether the bucket has no objects. The stage fails if this is unknown. */
  CompletionStage<Boolean> isEmpty(Bucket bucket);
}
