package dev.tarn.transport.server;

import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Get;
import java.util.concurrent.CompletionStage;

/**
 * Decides whether a target carries out a call whose capability is valid. The target node's {@code
 * NodeCalls} implements this.
 */
public interface CallAdmission {
  /**
   * The target that carries out this request and no other, or why the request is refused. The stage
   * usually completes immediately. If the caller has a newer cluster view than the target, the
   * stage completes after the target has asked the control node. It never fails.
   */
  CompletionStage<Outcome<ObjectTarget>> admit(TargetRequest<?> request);

  /** As {@link #admit}, for a read that a ticket permits, if the ticket still does. */
  CompletionStage<Outcome<ObjectTarget>> admitTicket(Get read);
}
