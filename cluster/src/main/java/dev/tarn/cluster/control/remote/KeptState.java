package dev.tarn.cluster.control.remote;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.control.ControlCodec;
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
  /** Behind the fields of the state; older releases skip it, and do not write it. */
  private static final int REVISION_TAG = 100;

  private static final Codec<Known> CODEC =
      Codec.of(
          "known state",
          (out, known) -> {
            ControlCodec.STATE.write(out, known.state());
            out.number(REVISION_TAG, known.revision());
          },
          in -> {
            ControlState state = ControlCodec.STATE.read(in);
            return new Known(state, in.integer(REVISION_TAG, 0));
          });

  private final Path file;

  /**
   * A state that was kept.
   *
   * @param revision the {@link ControlCodec#STATE_REVISION} of the release that wrote it; 0 for
   *     releases without one
   */
  record Known(ControlState state, int revision) {
    private static final Known NOTHING =
        new Known(StateMachine.empty(), ControlCodec.STATE_REVISION);

    /** Whether another release wrote it, which may have dropped fields that this one knows. */
    boolean mayLackFields() {
      return revision != ControlCodec.STATE_REVISION;
    }
  }

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
  Known read(ControlListener listener) throws IOException {
    if (!Files.exists(file)) {
      return Known.NOTHING;
    }
    try {
      return SnapshotFile.read(file, CODEC, Known::state);
    } catch (IOException e) {
      Path aside = file.resolveSibling(file.getFileName() + ".unreadable");
      Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
      listener.forgot(e, aside);
      return Known.NOTHING;
    }
  }

  void write(ControlState state) throws IOException {
    byte[] bytes = CODEC.encode(new Known(state, ControlCodec.STATE_REVISION));
    SnapshotFile.write(file, bytes, state.version());
  }
}
