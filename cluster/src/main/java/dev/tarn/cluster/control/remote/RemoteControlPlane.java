package dev.tarn.cluster.control.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.capability.MessageSeal;
import dev.tarn.cluster.capability.SealException;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlCodec;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.PublishingControlPlane;
import dev.tarn.cluster.control.StateChange;
import dev.tarn.cluster.control.remote.ControlTransport.Answer;
import dev.tarn.cluster.target.Failure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The control plane of a member of the cluster: a copy of the control node's state. A request that
 * waits at the control node follows the changes. The state is kept on disk, so the member continues
 * with it while the control node is away, also after a restart.
 *
 * <p>A state is replaced only by a newer one of the same cluster. A control node with an older
 * state than a member takes no commands. A control node that lost its log or has an old one
 * therefore does not make members lose state ({@link Command.Restore}). After its start, and after
 * the control node was away, a member asks for all of the state; otherwise for what has changed.
 */
public final class RemoteControlPlane extends PublishingControlPlane implements AutoCloseable {
  private static final Duration COMMAND_MAX = Duration.ofSeconds(10);
  private static final Duration QUESTION_MAX = Duration.ofSeconds(2);
  private static final int OK = 200;

  /** The HTTP statuses of a control node that has not carried out a command. */
  private static final Set<Integer> REFUSALS = Set.of(400, 403, 404, 409, 413);

  private static final int REFUSAL_LENGTH_MAX = 300;

  private final Audience audience;
  private final ControlTransport transport;
  private final MessageSeal seal;
  private final KeptState kept;
  private final Follower follower;
  private final StateWriter writer;
  private final Object askingLock = new Object();

  /**
   * Whether all of the state is needed: it may have been kept by another release, or be of a
   * history that a restored control node does not have.
   */
  private volatile boolean mayLackChanges;

  private boolean closed;
  private @Nullable CompletableFuture<Boolean> asking;
  private @Nullable CompletableFuture<Boolean> nextAsking;

  private RemoteControlPlane(
      KeptState kept,
      ControlState known,
      Audience audience,
      ControlTransport transport,
      MessageSeal seal,
      ControlListener listener) {
    super(known);
    this.kept = requireNonNull(kept, "kept is null");
    this.audience = requireNonNull(audience, "audience is null");
    this.transport = requireNonNull(transport, "transport is null");
    this.seal = requireNonNull(seal, "seal is null");
    this.mayLackChanges = known.version() > 0;
    this.writer = new StateWriter(kept, this::state, listener);
    this.follower = new Follower(this::ask, listener);
  }

  /**
   * Opens the control plane and begins to follow.
   *
   * @param directory where the state is kept; created if missing
   * @param audience the kind of this member
   * @throws IOException if the directory or its files cannot be accessed
   */
  public static RemoteControlPlane open(
      Path directory,
      Audience audience,
      ControlTransport transport,
      MessageSeal seal,
      ControlListener listener)
      throws IOException {
    requireNonNull(listener, "listener is null");
    KeptState kept = KeptState.in(directory);
    RemoteControlPlane plane =
        new RemoteControlPlane(kept, kept.read(listener), audience, transport, seal, listener);
    plane.writer.start();
    plane.follower.start();
    return plane;
  }

  /** Whether a state is known, from the control node or from disk. */
  public boolean isKnown() {
    return state().version() > 0;
  }

  @Override
  public Optional<String> away() {
    return follower.away();
  }

  /**
   * Makes one request for all concurrent callers. A request in progress may have been answered
   * before a caller's change, so later callers share the next request.
   */
  @Override
  public CompletionStage<Boolean> refresh() {
    CompletableFuture<Boolean> begun = new CompletableFuture<>();
    synchronized (askingLock) {
      if (asking != null) {
        if (nextAsking == null) {
          nextAsking = new CompletableFuture<>();
        }
        return nextAsking;
      }
      asking = begun;
    }
    askNow(begun);
    return begun;
  }

  private void askNow(CompletableFuture<Boolean> question) {
    CompletionStage<Void> asked =
        CompletableFuture.completedFuture(QUESTION_MAX)
            .thenCompose(timeoutMax -> ask(0, timeoutMax));
    asked.whenComplete((answered, failure) -> {
      CompletableFuture<Boolean> following;
      synchronized (askingLock) {
        following = nextAsking;
        nextAsking = null;
        asking = following;
      }
      question.complete(failure == null);
      if (following != null) {
        askNow(following);
      }
    });
  }

  /** Requests a state other than the present one and takes it. */
  private CompletionStage<Void> ask(int waitMs, Duration timeoutMax) {
    Messages.Asking member = asking();
    return exchange(
            ControlBinding.STATE_PATH,
            new Messages.StateRequest(member, waitMs).encode(),
            timeoutMax)
        .thenAccept(bytes -> {
          try {
            take(Messages.decode(ControlCodec.CHANGE, bytes), member);
          } catch (IOException e) {
            throw new CompletionException(e);
          }
        })
        .whenComplete((taken, failure) -> {
          if (failure != null) {
            // The control node may come back with another history.
            mayLackChanges = true;
          }
        });
  }

  private Messages.Asking asking() {
    return Messages.Asking.of(audience, state(), mayLackChanges);
  }

  @Override
  public CompletionStage<CommandOutcome> submit(Command command) {
    Messages.Asking member = asking();
    Messages.CommandRequest request = new Messages.CommandRequest(member, command);
    return exchange(ControlBinding.COMMAND_PATH, request.encode(), COMMAND_MAX)
        .thenApply(bytes -> outcome(bytes, member))
        .exceptionally(this::noOutcome);
  }

  private CommandOutcome outcome(byte[] bytes, Messages.Asking member) {
    try {
      Messages.CommandAnswer answer = Messages.CommandAnswer.decode(bytes);
      take(answer.state(), member);
      return answer.outcome();
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private CommandOutcome noOutcome(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof ControlTransport.NotSentException || cause instanceof RefusedException) {
      return new CommandOutcome.Unavailable(
          "the control plane takes no changes now: " + cause.getMessage());
    }
    return new CommandOutcome.Unconfirmed(
        "the control node at "
            + transport.address()
            + " gave no answer ("
            + Failure.reasonOf(failure)
            + "); look whether the change was made before you repeat it");
  }

  private CompletionStage<byte[]> exchange(String path, byte[] content, Duration timeoutMax) {
    MessageSeal.Message request = seal.sealRequest(path, content);
    return transport
        .exchange(path, request.bytes(), timeoutMax)
        .thenApply(answer -> {
          try {
            return opened(path, request, answer);
          } catch (RefusedException | SealException e) {
            throw new CompletionException(e);
          }
        });
  }

  private byte[] opened(String path, MessageSeal.Message request, Answer answer)
      throws RefusedException, SealException {
    if (answer.status() == OK) {
      return seal.openAnswer(path, request.nonce(), answer.bytes());
    }
    // This text is not authenticated: it is only shown to people, and shortened.
    String text = new String(answer.bytes(), UTF_8).replaceAll("[^\\p{Print}]+", " ").strip();
    String message =
        transport.address()
            + " answers "
            + answer.status()
            + ": "
            + text.substring(0, Math.min(text.length(), REFUSAL_LENGTH_MAX));
    if (REFUSALS.contains(answer.status())) {
      throw new RefusedException(message);
    }
    throw new CompletionException(new IOException(message));
  }

  private synchronized void take(StateChange change, Messages.Asking asked) throws IOException {
    if (closed) {
      return;
    }
    ControlState present = state();
    if (change.version() < asked.knownVersion()) {
      throw new IOException(
          transport.address()
              + " has the state of version "
              + change.version()
              + ", this member has "
              + asked.knownVersion()
              + " already. If it was restored from a copy, remove "
              + kept.file()
              + " of every member and restart it");
    }
    if (change.isEmpty()) {
      return;
    }
    if (present.clusterId().isPresent() && !present.clusterId().equals(change.clusterId())) {
      throw new IOException(
          transport.address()
              + " is of cluster "
              + change.clusterId().orElse("without id")
              + ", this member of "
              + present.clusterId().orElseThrow()
              + ". Set cluster.control to the right one, or restore the control node's data");
    }
    if (change.version() < present.version()
        || (change.version() == present.version() && !asked.lacksChanges())) {
      return;
    }
    if (asked.lacksChanges()) {
      mayLackChanges = false;
    }
    publish(present.with(change));
    writer.changed();
  }

  /** The control node answered with a refusal. */
  private static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
      super(message);
    }
  }

  /** Stops following; the known state stays. */
  @Override
  public void close() {
    follower.close();
    synchronized (this) {
      closed = true;
    }
    writer.close();
  }
}
