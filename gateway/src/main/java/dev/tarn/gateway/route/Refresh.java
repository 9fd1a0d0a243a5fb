package dev.tarn.gateway.route;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Refreshes a gateway's view of the cluster before it repeats a call that was refused as stale. */
@FunctionalInterface
public interface Refresh {
  /** Nothing: the newer map or the settings are on their way already. */
  Refresh NONE = () -> CompletableFuture.completedFuture(null);

  /** Brings what this gateway knows up to date, as far as that is possible now; never fails. */
  CompletionStage<?> refresh();
}
