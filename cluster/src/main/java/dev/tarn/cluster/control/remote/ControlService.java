package dev.tarn.cluster.control.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.capability.MessageSeal;
import dev.tarn.cluster.capability.SealException;
import dev.tarn.cluster.control.ControlCodec;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.StateChange;
import dev.tarn.cluster.control.remote.ControlTransport.Answer;
import dev.tarn.cluster.target.Failure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The control node's side of {@link ControlBinding}: opens requests, calls the control plane, seals
 * answers. Independent of sockets. Safe for use by many threads.
 */
public final class ControlService implements AutoCloseable {
  /** The greatest number of members that wait for a newer state at once. */
  private static final int WAITING_MAX = 20_000;

  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int UNAVAILABLE = 503;

  private static final Set<String> PATHS =
      Set.of(ControlBinding.STATE_PATH, ControlBinding.COMMAND_PATH);

  private final GuardedControlPlane plane;
  private final MessageSeal seal;
  private final Executor executor;
  private final SeenCommands seenCommands;
  private final AtomicLong waitingCount = new AtomicLong();
  private final Map<Long, CompletableFuture<Void>> waiting = new ConcurrentHashMap<>();
  private final ControlPlane.Watch watch;

  /**
   * Answers for this control plane.
   *
   * @param executor encodes and seals answers
   */
  public ControlService(
      GuardedControlPlane plane, MessageSeal seal, InstantSource clock, Executor executor) {
    this.plane = requireNonNull(plane, "plane is null");
    this.seal = requireNonNull(seal, "seal is null");
    this.executor = requireNonNull(executor, "executor is null");
    this.seenCommands = new SeenCommands(clock);
    this.watch = plane.watch(ignored -> waiting.values().forEach(member -> member.complete(null)));
  }

  /** Answers a sealed request; never fails. */
  public CompletionStage<Answer> answer(String path, byte[] request) {
    return completedFuture(request)
        .thenComposeAsync(bytes -> route(path, bytes), executor)
        .exceptionally(defect ->
            text(UNAVAILABLE, "the control node failed to answer: " + defect.getMessage()));
  }

  private CompletionStage<Answer> route(String path, byte[] request) {
    try {
      if (!PATHS.contains(path)) {
        return completedFuture(text(NOT_FOUND, "there is nothing at " + path));
      }
      MessageSeal.Message opened = seal.openRequest(path, request);
      return path.equals(ControlBinding.STATE_PATH) ? state(opened) : command(opened);
    } catch (SealException e) {
      return completedFuture(text(FORBIDDEN, Failure.reasonOf(e)));
    } catch (IOException e) {
      return completedFuture(text(BAD_REQUEST, Failure.reasonOf(e)));
    }
  }

  private CompletionStage<Answer> state(MessageSeal.Message request) throws IOException {
    Messages.StateRequest asked = Messages.StateRequest.decode(request.bytes());
    Optional<String> stranger = otherCluster(asked.member());
    if (stranger.isPresent()) {
      return completedFuture(text(CONFLICT, stranger.orElseThrow()));
    }
    if (waiting.size() >= WAITING_MAX) {
      return completedFuture(text(UNAVAILABLE, "too many members wait for a newer state"));
    }
    return newerThan(asked.member(), asked.waitMs())
        .thenApplyAsync(
            state ->
                sealed(
                    ControlBinding.STATE_PATH,
                    request.nonce(),
                    Messages.encode(ControlCodec.CHANGE, answer(asked.member(), state))),
            executor);
  }

  /** The present state, as soon as it differs from the known version or the wait times out. */
  private CompletionStage<ControlState> newerThan(Messages.Asking member, int waitMs) {
    if (waitMs <= 0 || member.lacksChanges()) {
      return completedFuture(plane.state());
    }
    // Registered before the state is read, so that no change is missed in between.
    long number = waitingCount.incrementAndGet();
    CompletableFuture<Void> change = new CompletableFuture<>();
    waiting.put(number, change);
    CompletionStage<ControlState> newer =
        change.thenApply(ignored -> {
          waiting.remove(number);
          return plane.state();
        });
    if (plane.state().version() == member.knownVersion()) {
      int boundedMs = Math.min(waitMs, ControlBinding.WAIT_MS_MAX);
      CompletableFuture<Void> unused =
          change.completeOnTimeout(null, boundedMs, TimeUnit.MILLISECONDS);
    } else {
      change.complete(null);
    }
    return newer;
  }

  private CompletionStage<Answer> command(MessageSeal.Message request) throws IOException {
    Messages.CommandRequest sent = Messages.CommandRequest.decode(request.bytes());
    Optional<String> seen = seenCommands.refuse(request);
    if (seen.isPresent()) {
      return completedFuture(text(FORBIDDEN, seen.orElseThrow()));
    }
    Optional<String> stranger = otherCluster(sent.member());
    if (stranger.isPresent()) {
      return completedFuture(text(CONFLICT, stranger.orElseThrow()));
    }
    return plane
        .submit(sent.command())
        .thenApplyAsync(
            outcome ->
                sealed(
                    ControlBinding.COMMAND_PATH,
                    request.nonce(),
                    new Messages.CommandAnswer(outcome, answer(sent.member(), plane.state()))
                        .encode()),
            executor);
  }

  private static StateChange answer(Messages.Asking member, ControlState state) {
    return member.audience().part(state.since(member.lacksChanges() ? 0 : member.knownVersion()));
  }

  /**
   * Why a member does not belong to this cluster; empty if it does, and the version that it knows
   * is noted.
   */
  private Optional<String> otherCluster(Messages.Asking member) {
    String own = plane.state().clusterId().orElse("");
    if (!member.clusterId().isEmpty() && !member.clusterId().equals(own)) {
      return Optional.of(
          "this control node is of the cluster "
              + own
              + ", the member of "
              + member.clusterId()
              + "; set cluster.control to the right one, or restore the control node's data");
    }
    plane.memberKnows(member.knownVersion());
    return Optional.empty();
  }

  private Answer sealed(String purpose, ByteBuffer requestNonce, byte[] content) {
    byte[] bytes = seal.sealAnswer(purpose, requestNonce, content);
    return bytes.length <= ControlBinding.ANSWER_BYTES_MAX
        ? new Answer(OK, bytes)
        : text(UNAVAILABLE, "the state is larger than members take");
  }

  private static Answer text(int status, String message) {
    return new Answer(status, (message + "\n").getBytes(UTF_8));
  }

  /** Answers all waiting members with the present state. */
  @Override
  public void close() {
    watch.close();
    waiting.values().forEach(member -> member.complete(null));
  }
}
