package dev.tarn.cluster.control.remote;

import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.capability.MessageSeal;
import dev.tarn.cluster.control.ControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Reaches a control node that is in this process, unless that is away. */
public final class LoopbackTransport implements ControlTransport {
  private static final MessageSeal SEAL =
      new MessageSeal(ClusterSecrets.of(new byte[32]), InstantSource.system());

  private final ControlService service;
  private final AtomicLong exchanges = new AtomicLong();
  private final Map<Long, CompletableFuture<Answer>> underWay = new ConcurrentHashMap<>();
  private volatile boolean away;

  /** To a node with this control plane. */
  public LoopbackTransport(ControlPlane plane) {
    this.service =
        new ControlService(
            new GuardedControlPlane(plane),
            SEAL,
            InstantSource.system(),
            ForkJoinPool.commonPool());
  }

  /** A member that keeps what it knows in this directory. */
  public RemoteControlPlane member(Path directory, Audience audience) throws IOException {
    return RemoteControlPlane.open(directory, audience, this, SEAL, new Silent());
  }

  /** Takes the node away, which breaks what is under way, or brings it back. */
  public void setAway(boolean nowAway) {
    away = nowAway;
    if (nowAway) {
      underWay
          .values()
          .forEach(answer -> answer.completeExceptionally(new IOException("connection lost")));
    }
  }

  @Override
  public String address() {
    return "loopback";
  }

  @Override
  public CompletionStage<Answer> exchange(String path, byte[] request, Duration timeoutMax) {
    if (away) {
      return CompletableFuture.failedFuture(
          new NotSentException("loopback is away", new IOException("away")));
    }
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    long number = exchanges.incrementAndGet();
    underWay.put(number, answer);
    service
        .answer(path, request)
        .whenComplete((given, failure) -> {
          if (failure == null) {
            answer.complete(given);
          } else {
            answer.completeExceptionally(failure);
          }
        });
    return answer
        .orTimeout(timeoutMax.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((given, failure) -> underWay.remove(number));
  }

  /** Nobody reads a log. */
  private static final class Silent implements ControlListener {
    @Override
    public void away(String reason) {}

    @Override
    public void followed() {}

    @Override
    public void forgot(Exception reason, Path unreadable) {}

    @Override
    public void notKept(Exception reason) {}
  }
}
