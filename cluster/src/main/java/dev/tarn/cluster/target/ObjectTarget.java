package dev.tarn.cluster.target;

import java.util.concurrent.CompletionStage;

/**
 * The target contract: the core of S3 without XML and signatures, as an object's owner offers it.
 * It has implementations in memory, in this process and over HTTP/1.1, which all behave the same.
 *
 * <p>Calls never block. Stages complete with an {@link Outcome}, on any thread, possibly before the
 * call returns. A write's preconditions are evaluated at its commit. What a call acknowledges is
 * visible to every later call, and as durable as the bucket's settings say.
 *
 * <p>The bucket's versioning decides what a write does to earlier versions. Off: there is one null
 * version, which a write replaces. Enabled: a write makes a version with an id of its own, and the
 * earlier versions stay. Suspended: a write replaces the null version wherever it is, and becomes
 * current.
 */
public interface ObjectTarget {
  /**
   * Carries out a request.
   *
   * @param body the bytes of a request that {@link TargetRequest#hasBody() has a body}; other
   *     requests ignore it
   */
  <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body);

  /** Carries out a request without a body; a request that has one gets an empty body. */
  default <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request) {
    return call(request, IncomingBody.EMPTY);
  }
}
