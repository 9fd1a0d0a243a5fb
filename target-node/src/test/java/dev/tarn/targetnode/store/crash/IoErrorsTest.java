package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static dev.tarn.targetnode.store.crash.Scenario.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which errors of a disk's files take it out of service. */
final class IoErrorsTest {
  @TempDir private Path directory;
  private SimulatedDisk disk = new SimulatedDisk(Path.of("unused"));
  private final SetClock clock = new SetClock();

  @BeforeEach
  void makeDisk() {
    disk = new SimulatedDisk(directory.resolve("index"));
  }

  /** Stands still until it is told to go on. */
  private static final class SetClock extends Clock {
    private Instant now = Instant.parse("2030-01-01T00:00:00Z");

    void advance(Duration time) {
      now = now.plus(time);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  private OneDisk open() throws IOException {
    return new OneDisk(disk, OneDisk.SMALL, Durability.FSYNC, clock);
  }

  private void failOnce(OneDisk node) {
    disk.failWith("Input/output error", true);
    assertThat(node.calls().get("key")).isInstanceOf(Outcome.Failed.class);
    disk.failWith("", false);
  }

  @Test
  void errorsFarApartDoNotTakeADiskOut() throws IOException {
    try (OneDisk node = open()) {
      value(node.calls().put("key", bytes(1, 1000)));
      for (int i = 0; i < 10; i++) {
        failOnce(node);
        clock.advance(Duration.ofMinutes(6));
      }
      assertThat(node.store().health().outOfService()).isEmpty();
      assertThat(node.store().health().ioErrors()).isGreaterThanOrEqualTo(10);
      assertThat(value(node.calls().get("key"))).isEqualTo(bytes(1, 1000));
    }
  }

  @Test
  void errorsThatAScrubMeetsCount() throws IOException {
    try (OneDisk node = open()) {
      value(node.calls().put("key", bytes(1, 1000)));
      disk.failWith("Input/output error", true);
      for (int i = 0; i < 3; i++) {
        assertThatIOException().isThrownBy(node::scrub);
      }
      disk.failWith("", false);
      assertThat(node.store().health().outOfService()).isPresent();
    }
  }

  @Test
  void errorsOfTheFileCountWhereTheKernelSendsAndThoseOfTheReceiverDoNot() throws IOException {
    try (OneDisk node = open()) {
      for (int i = 0; i < 5; i++) {
        node.store().health().noteTransfer(new IOException("sendfile(..) failed: Broken pipe"));
      }
      assertThat(node.store().health().ioErrors()).isZero();
      for (int i = 0; i < 3; i++) {
        node.store()
            .health()
            .noteTransfer(new IOException("sendfile(..) failed: Input/output error"));
      }
      assertThat(node.store().health().outOfService()).isPresent();
    }
  }
}
