package dev.tarn.targetnode.membership;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** What a target knows of the cluster now. All but {@link #refresh()} is read on every call. */
public interface ClusterKnowledge {
  /** The epoch of the newest cluster map; 0 where there is none. */
  long mapEpoch();

  /** Whether the bucket's settings are known, and not older than the caller's. */
  boolean knowsSettings(CallScope scope);

  /** Whether the bucket's settings have changed since the caller knew them. */
  boolean knowsNewerSettings(CallScope scope);

  /** Why this target serves no object at all; empty if it serves its own. */
  Optional<Failure> refusal();

  /**
   * Brings what is known up to every change that was acknowledged anywhere before this call.
   *
   * @return whether that was possible
   */
  CompletionStage<Boolean> refresh();

  /** Of a target that is told the epoch alone, and serves whatever it is asked for. */
  static ClusterKnowledge ofEpoch(LongSupplier mapEpoch) {
    requireNonNull(mapEpoch, "mapEpoch is null");
    return new ClusterKnowledge() {
      @Override
      public long mapEpoch() {
        return mapEpoch.getAsLong();
      }

      @Override
      public boolean knowsSettings(CallScope scope) {
        return true;
      }

      @Override
      public boolean knowsNewerSettings(CallScope scope) {
        return false;
      }

      @Override
      public Optional<Failure> refusal() {
        return Optional.empty();
      }

      @Override
      public CompletionStage<Boolean> refresh() {
        return completedFuture(true);
      }
    };
  }
}
