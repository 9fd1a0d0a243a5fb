package dev.tarn.cluster.control.local;

import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.ControlCodec;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.StateMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The snapshot and the log of one directory. The snapshot is renamed before the shortened log is.
 * After a loss of power between the two, the log only repeats what the snapshot contains.
 */
final class LocalLog implements AutoCloseable {
  private static final String LOG = "log";
  private static final String SNAPSHOT = "snapshot";

  private final Path directory;
  private final long snapshotAfterBytes;
  private final Recovery recovery;
  private LogFile log;
  private String failure = "";

  private LocalLog(Path directory, long snapshotAfterBytes, LogFile log, Recovery recovery) {
    this.directory = directory;
    this.snapshotAfterBytes = snapshotAfterBytes;
    this.log = log;
    this.recovery = recovery;
  }

  /** Opens the directory's log, creates an empty one if it is missing, and replays it. */
  static LocalLog open(Path directory, long snapshotAfterBytes) throws IOException {
    DurableFiles.createPrivateDirectory(directory);
    Path logPath = directory.resolve(LOG);
    Path snapshotPath = directory.resolve(SNAPSHOT);
    DurableFiles.makePrivate(logPath);
    DurableFiles.makePrivate(snapshotPath);
    boolean hasSnapshot = Files.exists(snapshotPath);
    ControlState state = hasSnapshot ? SnapshotFile.read(snapshotPath) : StateMachine.empty();
    if (!Files.exists(logPath)) {
      if (hasSnapshot) {
        throw new CorruptControlFileException(
            logPath, "is missing beside " + snapshotPath + "; restore the file from a copy");
      }
      LogFile.create(logPath, 0);
    }
    LogFile.Contents contents = LogFile.read(logPath);
    if (contents.header().stateVersion() > state.version()) {
      throw new CorruptControlFileException(
          logPath,
          "continues state version "
              + contents.header().stateVersion()
              + ", the newest snapshot is of "
              + state.version()
              + "; restore "
              + snapshotPath
              + " from a copy");
    }
    int replayed = 0;
    for (LogRecord record : contents.records()) {
      if (record.stateVersion() > state.version()) {
        state = replay(logPath, state, record);
        replayed++;
      }
    }
    LogFile file = LogFile.openBehind(logPath, contents);
    Recovery recovery = new Recovery(state, replayed, contents.tornBytes());
    return new LocalLog(directory, snapshotAfterBytes, file, recovery);
  }

  private static ControlState replay(Path logPath, ControlState state, LogRecord record)
      throws IOException {
    Command command = ControlCodec.COMMAND.decode(record.payload());
    StateMachine.Transition transition = StateMachine.apply(state, command);
    if (!transition.applied() || transition.state().version() != record.stateVersion()) {
      throw new CorruptControlFileException(
          logPath,
          "has a record for state version "
              + record.stateVersion()
              + " that does not follow version "
              + state.version()
              + ": "
              + transition.outcome());
    }
    return transition.state();
  }

  Recovery recovery() {
    return recovery;
  }

  /** Why nothing can be appended; empty if appending works. */
  String failure() {
    String appendFailure = log.failure();
    return appendFailure == null ? failure : appendFailure;
  }

  /** Appends a command durably; {@code after} is the state that it leads to. */
  void append(Command command, ControlState after) throws IOException {
    byte[] payload = ControlCodec.COMMAND.encode(command);
    // A command that cannot be read, such as one beyond a reader's limit, would stop every start.
    ControlCodec.COMMAND.decode(payload);
    log.append(new LogRecord(after.version(), payload));
  }

  boolean wantsSnapshot() {
    return log.size() >= snapshotAfterBytes;
  }

  /**
   * Writes the state as the snapshot and begins an empty log. After a failure between the two, the
   * log takes no more appends, because it is unknown which file has the log's name.
   */
  void snapshot(ControlState state) throws IOException {
    SnapshotFile.write(directory.resolve(SNAPSHOT), state);
    Path logPath = directory.resolve(LOG);
    try {
      LogFile.create(logPath, state.version());
      LogFile shortened = LogFile.openBehind(logPath, LogFile.read(logPath));
      log.close();
      log = shortened;
    } catch (IOException e) {
      failure = "beginning a new " + logPath + " failed: " + e.getMessage();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}
