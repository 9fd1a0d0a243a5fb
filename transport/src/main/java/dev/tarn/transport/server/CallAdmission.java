package dev.tarn.transport.server;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Get;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Decides whether a target carries out a call whose capability is valid. */
public interface CallAdmission {
  /**
   * Why the call is refused; empty if it is not refused. The stage usually completes immediately.
   * If the caller has a newer cluster view than the target, the stage completes after the target
   * has asked the control node. It never fails.
   */
  CompletionStage<Optional<Failure>> refuse(TargetRequest<?> request);

  /** Why a ticket that was issued earlier no longer permits this read; empty if it does. */
  Optional<Failure> refuseOutdated(Get request);
}
