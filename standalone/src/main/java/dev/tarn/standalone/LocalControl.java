package dev.tarn.standalone;

import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.local.LocalControlPlane;
import dev.tarn.sharder.cli.output.FailureHandler;
import dev.tarn.standalone.node.DataFolder;
import dev.tarn.standalone.node.FirstAdmin;
import dev.tarn.standalone.node.KeyPair;
import dev.tarn.standalone.node.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The control plane whose log is in this process's data folder. */
final class LocalControl {
  private static final Logger LOG = LoggerFactory.getLogger(LocalControl.class);

  private LocalControl() {}

  static LocalControlPlane open(DataFolder data) throws StartFailure {
    Path known = data.control().resolve(FollowedControl.KNOWN_STATE);
    if (Files.exists(known)) {
      throw new StartFailure(
          data.path()
              + " is the data folder of a gateway or target ("
              + known
              + "); give --data another folder");
    }
    try {
      LocalControlPlane control = LocalControlPlane.open(data.control());
      int torn = control.recovery().tornBytes();
      if (torn > 0) {
        LOG.warn(
            "removed {} bytes at the end of the control log: a command that was never acknowledged",
            torn);
      }
      return control;
    } catch (IOException e) {
      throw new StartFailure(FailureHandler.message(e), e);
    }
  }

  /** Creates the first admin if there is none. Returns its key pair if one was generated. */
  static Optional<KeyPair> ensureAdmin(Start start, ControlPlane control) throws StartFailure {
    return new FirstAdmin(control, start.identities(), start.clock())
        .ensure(start.firstAdmin(), DataFolder.credentialsFile(start.data().path()));
  }

  /** Gives a new cluster its id. Members use the id to tell clusters apart. */
  static void ensureClusterId(Start start, ControlPlane control) throws StartFailure {
    if (control.state().clusterId().isPresent()) {
      return;
    }
    Command name = new Command.NameCluster(start.clock().millis(), UUID.randomUUID().toString());
    CommandOutcome outcome = control.submit(name).toCompletableFuture().join();
    if (!(outcome instanceof CommandOutcome.Applied)) {
      throw new StartFailure("the control plane did not take the cluster's id: " + outcome);
    }
  }
}
