package dev.tarn.standalone.declared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.Pacing;
import dev.tarn.standalone.client.AdminApi;
import dev.tarn.standalone.client.AdminRequestException;
import dev.tarn.standalone.cluster.Backoff;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Against an API of its own; {@code ApplyCommandTest} has a server. */
class ReconcilerTest {
  private static final Declaration USER =
      new Declaration(
          List.of(new DeclaredUser("first", Optional.empty(), Optional.empty())),
          List.of(),
          List.of());

  private final List<String> report = new ArrayList<>();
  private final Time time = new Time();
  private int calls;

  @Test
  void serverThatTakesNoChangesForAMomentIsAskedAgain() throws IOException {
    reconciler(
            (_, _, _) -> {
              calls++;
              if (calls % 3 != 0) {
                throw new AdminRequestException(503, "the control plane is away");
              }
              return nothing();
            })
        .reconcile(USER);

    assertThat(report).containsExactly("user first: made");
  }

  @Test
  void serverThatTakesNoChangesForLongIsAFailureInItsOwnWords() {
    Reconciler reconciler =
        reconciler((_, _, _) -> {
          throw new AdminRequestException(503, "the control plane is away");
        });

    assertThatThrownBy(() -> reconciler.reconcile(USER)).hasMessage("the control plane is away");
    assertThat(time.nowNanos).isEqualTo(Duration.ofSeconds(60).toNanos());
  }

  @Test
  void refusalIsNotRepeated() {
    Reconciler reconciler =
        reconciler((_, _, _) -> {
          calls++;
          throw new AdminRequestException(409, "there is another");
        });

    assertThatThrownBy(() -> reconciler.reconcile(USER)).hasMessage("there is another");
    assertThat(calls).isEqualTo(1);
  }

  private Reconciler reconciler(AdminApi api) {
    Backoff backoff = new Backoff(Duration.ofSeconds(60), time, () -> time.nowNanos);
    return new Reconciler(api, backoff, report::add);
  }

  private static JsonObject nothing() {
    return new JsonObject()
        .put("users", new JsonArray())
        .put("keys", new JsonArray())
        .put("buckets", new JsonArray());
  }

  /** Time that passes by pauses alone. */
  private static final class Time implements Pacing {
    private long nowNanos;

    @Override
    public void pause(Duration duration) {
      nowNanos += duration.toNanos();
    }

    @Override
    public double jitter() {
      return 0;
    }
  }
}
