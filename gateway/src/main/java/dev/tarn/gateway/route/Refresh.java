package dev.tarn.gateway.route;

import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.target.Failure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What is done before a call that met old knowledge is tried once more. */
public interface Refresh {
  /** Nothing: the newer map or the settings are on their way already. */
  Refresh NONE = (target, failure) -> CompletableFuture.completedFuture(null);

  /**
   * Brings this gateway or that target up to date.
   *
   * @param failure {@link Failure.StaleMap} or {@link Failure.UnknownSettings}
   */
  CompletionStage<?> refresh(TargetId target, Failure failure);
}
