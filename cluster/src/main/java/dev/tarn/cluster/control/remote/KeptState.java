package dev.tarn.cluster.control.remote;

import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.StateMachine;
import dev.tarn.cluster.control.local.SnapshotFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** The file of the newest state that a member knew. */
final class KeptState {
  private final Path file;

  private KeptState(Path file) {
    this.file = file;
  }

  static KeptState in(Path directory) throws IOException {
    Files.createDirectories(directory);
    // The state may contain the key pairs of users.
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    return new KeptState(directory.resolve("known-state"));
  }

  Path file() {
    return file;
  }

  /**
   * The kept state; empty if it cannot be read, because the control node has the original. The
   * unreadable file is kept under another name.
   */
  ControlState read(ControlListener listener) throws IOException {
    if (!Files.exists(file)) {
      return StateMachine.empty();
    }
    try {
      return SnapshotFile.read(file);
    } catch (IOException e) {
      Path aside = file.resolveSibling(file.getFileName() + ".unreadable");
      Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
      listener.forgot(e, aside);
      return StateMachine.empty();
    }
  }

  void write(ControlState state) throws IOException {
    SnapshotFile.write(file, state);
  }
}
