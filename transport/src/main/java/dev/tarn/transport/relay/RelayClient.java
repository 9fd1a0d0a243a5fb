package dev.tarn.transport.relay;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.wire.HttpBinding;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** Calls over HTTP/1.1, on kept connections. */
public final class RelayClient implements CallTransport {
  private static final int OK = 200;

  private final RelayPool pool;

  /**
   * Calls within these limits.
   *
   * @param vertx carries the calls that are not made on an event loop
   */
  public RelayClient(Vertx vertx, RelayLimits limits) {
    this(vertx, limits, System::nanoTime);
  }

  RelayClient(Vertx vertx, RelayLimits limits, LongSupplier nanoTime) {
    pool = new RelayPool(vertx, limits, nanoTime);
  }

  /** Lets go of the connections to all other addresses. */
  public void keepOnly(Set<TargetAddress> addresses) {
    pool.keepOnly(addresses);
  }

  @Override
  public CompletionStage<Outcome<Reply>> call(TargetAddress address, Call call) {
    HopRequest request =
        new HopRequest(
            HttpBinding.CALL_PATH, headers(call), call.message(), call.body(), call.repeatable());
    return pool.call(address, request)
        .thenApply(outcome -> outcome.then(answer -> reply(address, answer)));
  }

  private static List<String> headers(Call call) {
    String length = Integer.toString(call.message().length);
    if (call.body().isEmpty() || call.body().orElseThrow().length() < 0) {
      return List.of(
          HttpBinding.LENGTH_HEADER, length, HttpBinding.CAPABILITY_HEADER, call.capability());
    }
    return List.of(
        HttpBinding.LENGTH_HEADER,
        length,
        HttpBinding.CAPABILITY_HEADER,
        call.capability(),
        HttpBinding.BODY_LENGTH_HEADER,
        Long.toString(call.body().orElseThrow().length()));
  }

  private static Outcome<Reply> reply(TargetAddress address, HopAnswer answer) {
    if (answer.status() == OK) {
      return Outcome.success(new Reply(answer.message(), answer.body()));
    }
    answer.body().close();
    return Outcome.failed(
        new Failure.Unavailable(
            "The target at " + address + " gave status " + answer.status() + " and no outcome."));
  }
}
