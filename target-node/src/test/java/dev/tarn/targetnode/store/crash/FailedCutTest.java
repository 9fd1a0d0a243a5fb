package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static dev.tarn.targetnode.store.crash.Scenario.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.local.Calls;
import java.io.IOException;
import java.nio.file.Path;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log write that reached the device, was reported as failed, and could not be cut off. */
final class FailedCutTest {
  private static final String IO_ERROR = "Input/output error";

  @TempDir private Path directory;

  /** Starts a disk with one object, then writes over it so that write and cut fail. */
  private static Failure failWriteAndCut(Stage stage, Calls calls, String writeFault) {
    value(calls.put("key", bytes(1, 100)));
    stage.disk().failNextWriteLate("log/", writeFault);
    stage.disk().failTruncates(IO_ERROR);
    return failure(calls.put("key", bytes(2, 100)));
  }

  private static Failure failure(Outcome<?> outcome) {
    return assertThat(outcome)
        .asInstanceOf(InstanceOfAssertFactories.type(Outcome.Failed.class))
        .actual()
        .failure();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWriteThatIsCutOffLateIsNotRevivedByARebuiltIndex(boolean cutPower) throws IOException {
    try (Stage stage = new Stage(directory, 1, "")) {
      Calls calls = stage.start(Durability.FSYNC);
      failWriteAndCut(stage, calls, IO_ERROR);
      stage.disk().failTruncates("");
      value(calls.put("other", bytes(3, 100)));
      if (cutPower) {
        stage.cutPower();
      } else {
        stage.kill();
      }
      stage.removeIndex();
      Calls next = stage.start(Durability.FSYNC);
      assertThat(value(next.get("key"))).isEqualTo(bytes(1, 100));
      assertThat(value(next.get("other"))).isEqualTo(bytes(3, 100));
    }
  }

  @Test
  void nothingIsWrittenBehindAWriteThatCannotBeCutOff() throws IOException {
    try (Stage stage = new Stage(directory, 1, "")) {
      Calls calls = stage.start(Durability.FSYNC);
      failWriteAndCut(stage, calls, IO_ERROR);
      assertThat(failure(calls.put("other", bytes(3, 100))))
          .isInstanceOf(Failure.Unavailable.class);
      assertThat(value(calls.get("key"))).isEqualTo(bytes(1, 100));
      stage.kill();
      stage.removeIndex();
      Calls next = stage.start(Durability.FSYNC);
      assertThat(value(next.get("key"))).isIn(bytes(1, 100), bytes(2, 100));
      assertThat(failure(next.get("other"))).isInstanceOf(Failure.NoSuchKey.class);
    }
  }

  @Test
  void aWriteThatMayHaveBeenMadeIsNotAnsweredAsOutOfSpace() throws IOException {
    try (Stage stage = new Stage(directory, 1, "")) {
      Calls calls = stage.start(Durability.FSYNC);
      assertThat(failWriteAndCut(stage, calls, "No space left on device"))
          .isInstanceOfSatisfying(
              Failure.Unavailable.class,
              unknown -> assertThat(unknown.message()).contains("may have been made"));
    }
  }
}
