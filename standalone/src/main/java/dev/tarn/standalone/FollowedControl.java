package dev.tarn.standalone;

import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.capability.MessageSeal;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.remote.Audience;
import dev.tarn.cluster.control.remote.ControlListener;
import dev.tarn.cluster.control.remote.ControlTransport;
import dev.tarn.cluster.control.remote.RemoteControlPlane;
import dev.tarn.sharder.cli.output.FailureHandler;
import dev.tarn.standalone.node.StartFailure;
import io.micrometer.core.instrument.Gauge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the control plane of a control node in another process, for a gateway or target. */
final class FollowedControl {
  /** The file in the control plane's folder that keeps the control state a member knows. */
  static final String KNOWN_STATE = "known-state";

  private static final Logger LOG = LoggerFactory.getLogger(FollowedControl.class);
  private static final String LOCAL_LOG = "log";

  private FollowedControl() {}

  /** Opens the control plane for a member of this kind. */
  static RemoteControlPlane open(Start start, ClusterSecrets secrets, Audience audience)
      throws StartFailure {
    Path folder = start.data().control();
    if (Files.exists(folder.resolve(LOCAL_LOG))) {
      throw new StartFailure(
          start.data().path()
              + " is the data folder of the role all or control; give --data another folder");
    }
    ControlTransport transport = ClusterAccess.transport(start.config().cluster());
    try {
      RemoteControlPlane plane =
          RemoteControlPlane.open(
              folder,
              audience,
              transport,
              new MessageSeal(secrets, start.clock()),
              new Logged(transport.address()));
      Gauge.builder("tarn.control.followed", plane, followed -> followed.away().isEmpty() ? 1 : 0)
          .description("1 while the control plane answers this member, else 0")
          .register(start.metrics());
      return plane;
    } catch (IOException e) {
      throw new StartFailure(FailureHandler.message(e), e);
    }
  }

  /** Waits until a control state is known: from an earlier run, or from the control node. */
  static void awaitKnown(RemoteControlPlane plane) throws StartFailure {
    CountDownLatch known = new CountDownLatch(1);
    try (ControlPlane.Watch _ =
        plane.watch(state -> {
          if (state.version() > 0) {
            known.countDown();
          }
        })) {
      known.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartFailure("interrupted while waiting for the control plane", e);
    }
  }

  /** Logs what happens to the connection to the control plane. */
  private record Logged(String address) implements ControlListener {
    @Override
    public void away(String reason) {
      LOG.warn(
          "the control plane at {} does not answer: {}; this process continues with the last state"
              + " and refuses changes until the control plane answers",
          address,
          reason);
    }

    @Override
    public void followed() {
      LOG.info("following the control plane at {}", address);
    }

    @Override
    public void forgot(Exception reason, Path unreadable) {
      LOG.warn(
          "reading the kept state of the control plane failed: {}; the file was moved to {}, and"
              + " the whole state is requested from {}",
          reason.toString(),
          unreadable,
          address);
    }

    @Override
    public void notKept(Exception reason) {
      LOG.error(
          "writing the state of the control plane to the data folder failed: {}; if this process"
              + " restarts while the control plane is unreachable, it begins with an older state",
          reason.toString());
    }
  }
}
