package dev.tarn.gateway.route;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Refreshes a gateway's view of the cluster before it repeats a call that was refused as stale. */
@FunctionalInterface
public interface Refresh {
  /** Does nothing: the newer map or settings arrive without it. */
  Refresh NONE = () -> CompletableFuture.completedFuture(null);

  /** Updates this gateway's view as far as possible now; never fails. */
  CompletionStage<?> refresh();
}
