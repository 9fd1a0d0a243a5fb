package dev.tarn.cluster.control.remote;

import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.StateMachine;
import dev.tarn.cluster.control.local.SnapshotFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The newest state that a member knew, in a file of its own. */
final class KeptState {
  private final Path file;

  private KeptState(Path file) {
    this.file = file;
  }

  static KeptState in(Path directory) throws IOException {
    Files.createDirectories(directory);
    // It may hold the key pairs of users.
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    return new KeptState(directory.resolve("known-state"));
  }

  Path file() {
    return file;
  }

  ControlState read() throws IOException {
    return Files.exists(file) ? SnapshotFile.read(file) : StateMachine.empty();
  }

  void write(ControlState state) throws IOException {
    SnapshotFile.write(file, state);
  }
}
