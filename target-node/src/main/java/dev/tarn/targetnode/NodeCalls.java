package dev.tarn.targetnode;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.target.Answerer;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Failure.Category;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetHandler;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Copying;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.OfKey;
import dev.tarn.cluster.target.TrafficClass;
import dev.tarn.targetnode.local.Call;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.targetnode.store.Incidents;
import dev.tarn.transport.server.CallAdmission;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives all calls to a target, and judges each once: calls from this process by {@link #call},
 * calls from others by {@link #admit}. Counts the calls by traffic class and refuses them after
 * their deadline. Logs failures of the target itself with the context of the call. So a client's
 * request id leads to the target's log.
 */
public final class NodeCalls implements ObjectTarget, CallAdmission {
  private static final Logger LOG = LoggerFactory.getLogger(NodeCalls.class);
  private static final Failure NO_STAND_IN =
      new Failure.Unavailable(
          "Read failed: the owner of the key is away, and no other target can answer for a bucket"
              + " without a backend.");

  private final CallJudge judge;
  private final TargetHandler<Call> local;
  private final TargetHandler<Call> throughBackend;
  private final Counter foreground;
  private final Counter background;
  private final Counter late;

  /**
   * The calls of a target.
   *
   * @param local carries out the calls to buckets without a backend: a {@code LocalTarget}
   * @param throughBackend carries out the calls to buckets with a backend: a {@code CachingTarget}
   */
  public NodeCalls(
      CallJudge judge,
      TargetHandler<Call> local,
      TargetHandler<Call> throughBackend,
      MeterRegistry registry) {
    this.judge = requireNonNull(judge, "judge is null");
    this.local = requireNonNull(local, "local is null");
    this.throughBackend = requireNonNull(throughBackend, "throughBackend is null");
    this.foreground = counter(registry, TrafficClass.FOREGROUND);
    this.background = counter(registry, TrafficClass.BACKGROUND);
    this.late =
        Counter.builder("tarn.target.calls.late")
            .description("Calls refused because their deadline had passed")
            .register(registry);
  }

  private static Counter counter(MeterRegistry registry, TrafficClass traffic) {
    return Counter.builder("tarn.target.calls")
        .description("Calls to this target, from gateways and its own upkeep")
        .tag("traffic", traffic.name().toLowerCase(Locale.ROOT))
        .register(registry);
  }

  private Counter counter(TrafficClass traffic) {
    return switch (traffic) {
      case FOREGROUND -> foreground;
      case BACKGROUND -> background;
    };
  }

  @Override
  public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
    return switch (judge.decide(request)) {
      case Outcome.Success<Bucket>(Bucket bucket) -> carryOut(request, new Call(bucket, body));
      case Outcome.Failed<Bucket>(Failure failure) -> {
        counter(request.scope().context().traffic()).increment();
        yield Call.refuse(body, failure);
      }
    };
  }

  @Override
  public CompletionStage<Outcome<ObjectTarget>> admit(TargetRequest<?> request) {
    return judge.admit(request).thenApply(judged -> judged.map(Admitted::new));
  }

  @Override
  public CompletionStage<Outcome<ObjectTarget>> admitTicket(Get read) {
    return judge.admitTicket(read).thenApply(judged -> judged.map(Admitted::new));
  }

  /** Carries out a request that was admitted to this bucket. */
  private final class Admitted implements ObjectTarget {
    private final Bucket bucket;

    Admitted(Bucket bucket) {
      this.bucket = bucket;
    }

    @Override
    public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
      return carryOut(request, new Call(bucket, body));
    }
  }

  private <R> CompletionStage<Outcome<R>> carryOut(TargetRequest<R> request, Call call) {
    CallScope scope = request.scope();
    counter(scope.context().traffic()).increment();
    if (scope.deadline().hasPassed()) {
      late.increment();
      return call.refuse(scope.deadline().refusal());
    }
    boolean cached = isCached(request, call.bucket());
    if (!cached && scope.answerer() == Answerer.STAND_IN) {
      return call.refuse(NO_STAND_IN);
    }
    return request
        .on(cached ? throughBackend : local, call)
        .handle((outcome, defect) -> {
          Outcome<R> known = outcome == null ? failedBy(defect) : outcome;
          if (known instanceof Outcome.Failed<R>(Failure failure)) {
            note(request, failure);
          }
          return known;
        });
  }

  /** Whether the bucket of a request has a backend, or that of a copy's source. */
  private boolean isCached(TargetRequest<?> request, Bucket bucket) {
    return bucket.settings().backend().isPresent()
        || (request instanceof Copying<?> copy
            && judge.view().isCached(copy.source().scope().bucket()));
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
