package dev.tarn.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.Pacing;
import dev.tarn.standalone.client.AdminRequestException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Against an API whose every answer is another step of a cluster that comes up. */
class FormationTest {
  private final List<String> progress = new ArrayList<>();
  private final Time time = new Time();
  private int calls;

  @Test
  void clusterThatComesUpSlowlyIsFormedOnceItIsThere() throws IOException {
    Formation formation =
        new Formation(
            (method, _, body) -> {
              calls++;
              if (calls < 3) {
                throw new IOException("no server answers");
              }
              if (method.equals("POST")) {
                if (calls < 8) {
                  throw new AdminRequestException(503, "the control plane takes no changes now");
                }
                return new JsonObject().put("posted", body);
              }
              return announced(calls < 5 ? List.of("t1") : List.of("t1", "t2"));
            },
            progress::add);

    JsonObject formed = formation.form(new Formation.Members(List.of(), 2), backoff(60));

    assertThat(formed.getJsonObject("posted").getJsonArray("targets")).isEmpty();
    assertThat(progress)
        .containsExactly(
            "waiting for a server that answers: no server answers",
            "waiting for 2 targets to announce themselves; those that have are t1",
            "waiting for a server that answers: the control plane takes no changes now");
  }

  @Test
  void waitEndsAtItsBoundHoweverOftenItLooked() {
    Formation formation = new Formation((_, _, _) -> announced(List.of("t1")), progress::add);

    assertThatThrownBy(() -> formation.form(new Formation.Members(List.of("t2"), 1), backoff(60)))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "gave up after 60000 ms of waiting for t2 to announce itself; those that have are t1");
    assertThat(time.nowNanos).isEqualTo(Duration.ofSeconds(60).toNanos());
    assertThat(time.pauseMax).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void refusalIsNotWaitedOut() {
    Formation formation =
        new Formation(
            (_, _, _) -> {
              calls++;
              throw new AdminRequestException(409, "objects would have to move");
            },
            progress::add);

    assertThatThrownBy(() -> formation.form(new Formation.Members(List.of(), 1), backoff(60)))
        .hasMessage("objects would have to move");
    assertThat(calls).isEqualTo(1);
  }

  private Backoff backoff(int seconds) {
    return new Backoff(Duration.ofSeconds(seconds), time, () -> time.nowNanos);
  }

  private static JsonObject announced(List<String> ids) {
    JsonArray targets = new JsonArray();
    ids.forEach(id -> targets.add(new JsonObject().put("id", id)));
    return new JsonObject().put("targets", targets);
  }

  /** Time that passes by pauses alone. */
  private static final class Time implements Pacing {
    private long nowNanos;
    private Duration pauseMax = Duration.ZERO;

    @Override
    public void pause(Duration duration) {
      nowNanos += duration.toNanos();
      pauseMax = duration.compareTo(pauseMax) > 0 ? duration : pauseMax;
    }

    @Override
    public double jitter() {
      return 0;
    }
  }
}
