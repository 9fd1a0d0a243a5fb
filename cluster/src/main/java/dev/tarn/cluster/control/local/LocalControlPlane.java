package dev.tarn.cluster.control.local;

import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.CommandOutcome.Unavailable;
import dev.tarn.cluster.control.CommandOutcome.Unconfirmed;
import dev.tarn.cluster.control.PublishingControlPlane;
import dev.tarn.cluster.control.StateMachine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The control plane of one node. Every command is written to a local log and synced before it is
 * applied and acknowledged. One thread writes; readers see the published state and never wait for
 * it.
 *
 * <p>The directory must belong to this process only: the caller holds the lock of the data folder.
 */
public final class LocalControlPlane extends PublishingControlPlane implements AutoCloseable {
  /** The limit of commands waiting for the log; more fail as unavailable. */
  private static final int WAITING_MAX = 1024;

  /** A log of this size is replaced by a snapshot, so that replay stays short. */
  private static final long SNAPSHOT_AFTER_BYTES = 1024 * 1024;

  private static final long CLOSE_SECONDS_MAX = 30;

  private final LocalLog log;
  private final ThreadPoolExecutor writer;

  private LocalControlPlane(LocalLog log) {
    super(log.recovery().state());
    this.log = log;
    this.writer =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            task -> {
              Thread thread = new Thread(task, "tarn-control-log");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Opens the log in this directory, which is created if missing.
   *
   * @throws IOException naming the file and what is wrong with it
   */
  public static LocalControlPlane open(Path directory) throws IOException {
    return open(directory, SNAPSHOT_AFTER_BYTES);
  }

  static LocalControlPlane open(Path directory, long snapshotAfterBytes) throws IOException {
    return new LocalControlPlane(LocalLog.open(directory, snapshotAfterBytes));
  }

  /** The result of opening the log. */
  public Recovery recovery() {
    return log.recovery();
  }

  /** Returns true: only this process writes the log, so its state is always the newest. */
  @Override
  public CompletionStage<Boolean> refresh() {
    return CompletableFuture.completedFuture(true);
  }

  @Override
  public CompletionStage<CommandOutcome> submit(Command command) {
    try {
      return CompletableFuture.supplyAsync(() -> write(command), writer);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.completedFuture(
          new Unavailable(
              writer.isShutdown()
                  ? "the control plane is closed"
                  : WAITING_MAX + " commands are waiting for the control log; try again"));
    }
  }

  private CommandOutcome write(Command command) {
    StateMachine.Transition transition = StateMachine.apply(state(), command);
    if (!transition.applied()) {
      return transition.outcome();
    }
    if (!log.failure().isEmpty()) {
      return new Unavailable(log.failure() + "; restart when the disk is sound");
    }
    try {
      if (log.wantsSnapshot()) {
        log.snapshot(state());
      }
    } catch (IOException e) {
      return notWritten(e);
    }
    try {
      log.append(command, transition.state());
    } catch (IOException e) {
      return log.failure().isEmpty() ? notWritten(e) : inDoubt();
    }
    publish(transition.state());
    return transition.outcome();
  }

  private static CommandOutcome notWritten(IOException cause) {
    return new Unavailable("writing the control log failed: " + cause.getMessage());
  }

  /** The outcome after a failure that may have left the command's record in the log. */
  private CommandOutcome inDoubt() {
    return new Unconfirmed(
        "the control log may or may not have the change: "
            + log.failure()
            + "; restart when the disk is sound, then look whether the change was made");
  }

  /** Waits for the commands already submitted, then closes the log. */
  @Override
  public void close() throws IOException {
    writer.shutdown();
    try {
      if (!writer.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
        throw new IOException(
            "the control log still writes after "
                + CLOSE_SECONDS_MAX
                + " s; its disk may be stuck");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    log.close();
  }
}
