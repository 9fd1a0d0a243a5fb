package dev.tarn.gateway;

import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.capability.MessageSeal;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.remote.Audience;
import dev.tarn.cluster.control.remote.ControlBinding;
import dev.tarn.cluster.control.remote.ControlListener;
import dev.tarn.cluster.control.remote.ControlService;
import dev.tarn.cluster.control.remote.ControlTransport;
import dev.tarn.cluster.control.remote.GuardedControlPlane;
import dev.tarn.cluster.control.remote.RemoteControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A control node that tells of changes only those who ask: whoever waits for the next change waits
 * for good, so that a gateway surely lacks what was made elsewhere.
 */
public final class ReticentControlNode implements ControlTransport, AutoCloseable {
  private static final MessageSeal SEAL =
      new MessageSeal(ClusterSecrets.of(new byte[32]), InstantSource.system());

  private final ControlService service;
  private final RemoteControlPlane gateway;
  private final AtomicInteger questions = new AtomicInteger();
  private volatile boolean away;

  /** The node of this control plane, and a gateway that keeps what it knows in this folder. */
  public ReticentControlNode(ControlPlane plane, Path folder) {
    service =
        new ControlService(
            new GuardedControlPlane(plane),
            SEAL,
            InstantSource.system(),
            ForkJoinPool.commonPool());
    Followed followed = new Followed();
    try {
      gateway = RemoteControlPlane.open(folder, Audience.GATEWAY, this, SEAL, followed);
      followed.first.await();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    questions.set(0);
  }

  /** The control plane as the gateway sees it. */
  public ControlPlane gateway() {
    return gateway;
  }

  /** How often the gateway has asked since its start. */
  public int questions() {
    return questions.get();
  }

  /** Takes the node away, or brings it back. */
  public void setAway(boolean nowAway) {
    away = nowAway;
  }

  @Override
  public String address() {
    return "the reticent node";
  }

  @Override
  public CompletionStage<Answer> exchange(String path, byte[] request, Duration timeoutMax) {
    if (path.equals(ControlBinding.STATE_PATH)
        && timeoutMax.toMillis() > ControlBinding.WAIT_MS_MAX) {
      return new CompletableFuture<>();
    }
    questions.incrementAndGet();
    return away
        ? CompletableFuture.failedFuture(
            new NotSentException("taken away by a test", new IOException("away")))
        : service.answer(path, request);
  }

  @Override
  public void close() {
    gateway.close();
    service.close();
  }

  /** Waits for the first answer. */
  private static final class Followed implements ControlListener {
    private final CountDownLatch first = new CountDownLatch(1);

    @Override
    public void away(String reason) {}

    @Override
    public void followed() {
      first.countDown();
    }

    @Override
    public void forgot(Exception reason, Path unreadable) {}

    @Override
    public void notKept(Exception reason) {}
  }
}
