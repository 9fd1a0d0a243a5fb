package dev.tarn.gateway.route;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The cluster view of a gateway: buckets, users and key pairs. The view may be stale. The gateway
 * therefore asks the control plane before it refuses an unknown name, and never asks for a known
 * one.
 */
public record GatewayView(ControlPlane control) {
  public GatewayView {
    requireNonNull(control, "control is null");
  }

  /** The newest state known here. Never blocks. */
  public ControlState state() {
    return control.state();
  }

  /** Whether a refusal is due to an unknown name that the control plane may have. */
  public static boolean lacksName(Throwable refusal) {
    return refusal instanceof S3Exception error
        && (error.code() == S3ErrorCode.NO_SUCH_BUCKET
            || error.code() == S3ErrorCode.INVALID_ACCESS_KEY_ID);
  }

  /**
   * Asks the control plane after a name was not found in the state of this version. Completes
   * immediately if the control plane is in this process.
   *
   * @return whether a newer state exists; fails with an S3Exception of ServiceUnavailable if the
   *     control plane does not answer
   */
  public CompletionStage<Boolean> askBeyond(long version) {
    return control
        .refresh()
        .thenApply(answered -> {
          if (!answered) {
            throw S3Exception.of(
                S3ErrorCode.SERVICE_UNAVAILABLE,
                "A name in the request is not known to this gateway yet, and the control plane,"
                    + " which may know it, does not answer; retry.");
          }
          return control.state().version() > version;
        });
  }

  /**
   * Like {@link #askBeyond}, but blocks.
   *
   * @throws S3Exception ServiceUnavailable
   */
  public boolean isMoreBeyond(long version) {
    try {
      return askBeyond(version).toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof S3Exception refusal ? refusal : e;
    }
  }

  /**
   * Looks something up, and asks the control plane before it gives up. Blocks.
   *
   * @throws S3Exception ServiceUnavailable
   */
  public <T> Optional<T> find(Function<ControlState, @Nullable T> lookup) {
    ControlState known = state();
    T found = lookup.apply(known);
    return found == null && isMoreBeyond(known.version())
        ? Optional.ofNullable(lookup.apply(state()))
        : Optional.ofNullable(found);
  }
}
