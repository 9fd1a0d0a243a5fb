package dev.tarn.gateway.admin;

import dev.tarn.cluster.control.Bucket;
import java.util.concurrent.CompletionStage;

/** Knows whether anything is in a bucket. */
public interface BucketContents {
  /** Whether the bucket holds no object. */
  CompletionStage<Boolean> isEmpty(Bucket bucket);
}
