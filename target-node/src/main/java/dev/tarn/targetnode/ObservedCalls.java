package dev.tarn.targetnode;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Failure.Category;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.OfKey;
import dev.tarn.cluster.target.TrafficClass;
import dev.tarn.targetnode.local.RefusedBody;
import dev.tarn.targetnode.store.Incidents;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives all calls to a target, from this process and others. Counts them by traffic class and
 * refuses calls after their deadline. Logs failures of the target itself with the context of the
 * call. So a client's request id leads to the target's log.
 */
public final class ObservedCalls implements ObjectTarget {
  private static final Logger LOG = LoggerFactory.getLogger(ObservedCalls.class);

  private final ObjectTarget target;
  private final LongAdder foreground = new LongAdder();
  private final LongAdder background = new LongAdder();
  private final LongAdder late = new LongAdder();

  ObservedCalls(ObjectTarget target) {
    this.target = target;
  }

  /** The number of calls of this class since the start. */
  public long count(TrafficClass traffic) {
    return counter(traffic).sum();
  }

  private LongAdder counter(TrafficClass traffic) {
    return switch (traffic) {
      case FOREGROUND -> foreground;
      case BACKGROUND -> background;
    };
  }

  /** The number of calls that were refused because their deadline had passed. */
  public long lateCount() {
    return late.sum();
  }

  @Override
  public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
    CallScope scope = request.scope();
    counter(scope.context().traffic()).increment();
    if (scope.deadline().hasPassed()) {
      late.increment();
      if (request.hasBody()) {
        body.bytes().subscribe(new RefusedBody());
      }
      return completedFuture(Outcome.failed(scope.deadline().refusal()));
    }
    return target
        .call(request, body)
        .handle((outcome, defect) -> {
          Outcome<R> known = outcome == null ? failedBy(defect) : outcome;
          if (known instanceof Outcome.Failed<R>(Failure failure)) {
            note(request, failure);
          }
          return known;
        });
  }

  private static <R> Outcome<R> failedBy(@Nullable Throwable defect) {
    Throwable cause = defect == null ? new IllegalStateException("no outcome") : defect;
    return Outcome.failed(new Failure.Bug(Incidents.log("A call failed", cause)));
  }

  private void note(TargetRequest<?> request, Failure failure) {
    if (failure instanceof Failure.DeadlinePassed) {
      late.increment();
    }
    if (failure.category() == Category.BUG || failure.category() == Category.CORRUPT) {
      LOG.error(
          "{} in {} failed: {} ({})",
          request.getClass().getSimpleName(),
          request instanceof OfKey<?> ofKey ? ofKey.name() : request.scope().bucket(),
          failure.message(),
          request.scope().context());
    }
  }
}
