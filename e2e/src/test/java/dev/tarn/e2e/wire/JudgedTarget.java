package dev.tarn.e2e.wire;

import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.transport.server.CallAdmission;
import java.util.concurrent.CompletionStage;

/** Admits to a target the calls that a target node would admit. */
record JudgedTarget(CallJudge judge, ObjectTarget target) implements CallAdmission {
  @Override
  public CompletionStage<Outcome<ObjectTarget>> admit(TargetRequest<?> request) {
    return judge.admit(request).thenApply(judged -> judged.map(bucket -> target));
  }

  @Override
  public CompletionStage<Outcome<ObjectTarget>> admitTicket(TargetRequest.Get read) {
    return judge.admitTicket(read).thenApply(judged -> judged.map(bucket -> target));
  }
}
