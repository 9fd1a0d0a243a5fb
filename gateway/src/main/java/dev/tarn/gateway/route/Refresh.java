package dev.tarn.gateway.route;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What is done before a call that met old knowledge is tried once more. */
@FunctionalInterface
public interface Refresh {
  /** Nothing: the newer map or the settings are on their way already. */
  Refresh NONE = () -> CompletableFuture.completedFuture(null);

  /** Brings what this gateway knows up to date, as far as that is possible now; never fails. */
  CompletionStage<?> refresh();
}
