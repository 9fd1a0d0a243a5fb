package dev.tarn.transport.server;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Get;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Decides whether a target carries out a call whose capability is valid. */
public interface CallAdmission {
  /**
   * Why the call is refused, if it is. The stage completes at once, unless the caller has a newer
   * view of the cluster than the target: then it completes when the target has asked. It never
   * fails.
   */
  CompletionStage<Optional<Failure>> refuse(TargetRequest<?> request);

  /** Why a ticket that was issued a while ago no longer permits this read, if so. */
  Optional<Failure> refuseOutdated(Get request);
}
