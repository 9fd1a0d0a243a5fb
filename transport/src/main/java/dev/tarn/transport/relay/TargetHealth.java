package dev.tarn.transport.relay;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.wire.HttpBinding;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the target at one address answers, and how many calls wait for it. All event loops share
 * this state.
 *
 * <p>An open connection does not show that a target lives: the kernel keeps the connections of a
 * stopped process, and accepts new ones. When a call has awaited its target for a moment, probes
 * therefore go out. A target answers them on its event loop, without a worker or a disk, so a slow
 * target answers them too. A target that answers no probe and no call is silent until it answers
 * one.
 *
 * <p>The first probe uses the connection of the last answered one, and over TLS a connection that
 * is kept for it from the first call on. So it costs a busy machine two packets and no handshake.
 * Each further probe has a new connection, because a connection may belong to an event loop that is
 * blocked, or may have been lost without notice. New connections may fail although the target
 * serves its open ones, so bytes of replies count as well.
 *
 * <p>Probes and changes of the state belong to one event loop of the client.
 */
final class TargetHealth {
  /** How long a call awaits its target before a probe goes out. */
  static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** The period of the checks while the target is probed. */
  static final long TICK_MS = 50;

  private static final Logger LOG = LoggerFactory.getLogger(TargetHealth.class);

  private static final long PROBE_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

  /** How many probes a target must leave unanswered before it is silent. */
  private static final int PROBES_UNANSWERED_MIN = 3;

  private static final int PROBES_MAX = 5;

  /** How often the kept connection is used, so that neither end closes it as idle. */
  private static final long KEEP_PERIOD_SECONDS = 20;

  /** The minimum time between two logged failures of connections. */
  private static final long LOG_PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final int PROBE_READ_BYTES = 4 << 10;

  private final EventLoop loop;
  private final Connector connector;
  private final TargetAddress address;
  private final RelayLimits limits;
  private final LongSupplier nanoTime;
  private final Totals totals;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final Deque<Probe> probes = new ArrayDeque<>(PROBES_MAX);
  private final AnswerWait wait = new AnswerWait();
  private @Nullable Probe kept;
  private int probesUnanswered;
  private long lastProbeNanos;
  private long quietSinceNanos;
  private volatile long answeredNanos;
  private boolean keepBegun;
  private long loggedNanos;
  private volatile boolean probing;
  private volatile boolean retired;
  private volatile @Nullable Period silence;
  private volatile @Nullable Period absence;

  /**
   * The counts of all targets together.
   *
   * @param waiting calls that wait for a target
   * @param silences how often a target was found to be silent
   */
  record Totals(AtomicInteger waiting, LongAdder silences) {
    Totals() {
      this(new AtomicInteger(), new LongAdder());
    }
  }

  /** A time that has not ended. */
  private record Period(long sinceNanos) {}

  /**
   * @param connector opens the connections of probes, on the event loop that carries them
   */
  TargetHealth(Connector connector, RelayLimits limits, LongSupplier nanoTime, Totals totals) {
    this.loop = connector.loop();
    this.connector = connector;
    this.address = connector.address();
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.totals = totals;
    this.answeredNanos = nanoTime.getAsLong();
    this.loggedNanos = answeredNanos - LOG_PERIOD_NANOS;
  }

  /** Whether the target answers neither calls nor probes. */
  boolean isSilent() {
    return silence != null;
  }

  /** Whether the target is silent, or accepted no connection when it was last asked for one. */
  boolean isAway() {
    return isSilent() || absence != null;
  }

  /** When the target last gave a sign of life, as far as is known. */
  long answeredNanos() {
    return answeredNanos;
  }

  /** How long the target has been silent; empty if it answers. */
  OptionalLong silentNanos(long now) {
    Period present = silence;
    return present == null ? OptionalLong.empty() : OptionalLong.of(now - present.sinceNanos());
  }

  /**
   * Takes a place for a call that waits until the target is back.
   *
   * @return whether there was one
   */
  boolean takePlace() {
    int here = waiting.incrementAndGet();
    int overall = totals.waiting().incrementAndGet();
    if (here <= limits.targetWaitingMax() && overall <= 2 * limits.targetWaitingMax()) {
      return true;
    }
    leavePlaces(1);
    return false;
  }

  /** Frees the places of calls that no longer wait. */
  void leavePlaces(int count) {
    waiting.addAndGet(-count);
    totals.waiting().addAndGet(-count);
  }

  /** Counts calls in flight on an event loop on which the target has not replied for a moment. */
  int countUnanswered(int change) {
    return unanswered.addAndGet(change);
  }

  /**
   * Notes that calls await the target, and probes it unless it has answered a moment ago.
   *
   * @param sinceNanos when the first of them last moved
   */
  void awaited(long sinceNanos) {
    long now = nanoTime.getAsLong();
    long quietSince = answeredNanos - sinceNanos > 0 ? answeredNanos : sinceNanos;
    if (!probing && now - quietSince >= QUIET_NANOS) {
      loop.execute(() -> startProbing(quietSince));
    }
  }

  private void startProbing(long quietSince) {
    if (probing) {
      return;
    }
    probing = true;
    quietSinceNanos = quietSince;
    schedule(); // First, because a defect must not end the probing of a silent target.
    long now = nanoTime.getAsLong();
    wait.begin(now);
    probesUnanswered = 0;
    probe(now);
  }

  private void schedule() {
    loop.schedule(this::tick, TICK_MS, TimeUnit.MILLISECONDS).addListener(this::ticked);
  }

  /** Logs a defect. */
  private void ticked(Future<?> tick) {
    if (!tick.isSuccess() && !loop.isShuttingDown()) {
      LOG.error("target {} could not be checked; the next check follows", address, tick.cause());
    }
  }

  private void tick() {
    if (!probing) {
      return;
    }
    if (retired && silence != null) {
      closeProbes();
      return;
    }
    schedule();
    long now = nanoTime.getAsLong();
    quietSinceNanos += wait.tick(now);
    if (silence == null && wait.isOver(now) && probesUnanswered >= PROBES_UNANSWERED_MIN) {
      LOG.warn(
          "target {} stopped answering {} ms ago; calls wait for it until it has been silent for"
              + " {} ms, then they fail with 503 until it answers",
          address,
          TimeUnit.NANOSECONDS.toMillis(now - quietSinceNanos),
          limits.targetWaitMax().toMillis());
      silence = new Period(quietSinceNanos);
      totals.silences().increment();
    }
    if (now - lastProbeNanos >= PROBE_PERIOD_NANOS) {
      probe(now);
    }
  }

  private void probe(long now) {
    lastProbeNanos = now;
    probesUnanswered += probes.isEmpty() ? 0 : 1;
    if (probes.size() == PROBES_MAX) {
      discardOne();
    }
    Probe open = kept;
    kept = null;
    if (open != null) {
      probes.add(open);
      open.send();
    } else {
      Probe next = new Probe();
      probes.add(next);
      next.connect();
    }
  }

  /**
   * Discards a failed probe, or else the second-oldest. The oldest may use a connection from
   * before, which needs no handshake.
   */
  private void discardOne() {
    Probe second = probes.stream().skip(1).findFirst().orElseThrow();
    Probe discarded = probes.stream().filter(probe -> probe.failed).findFirst().orElse(second);
    probes.remove(discarded);
    discarded.close();
  }

  private void closeProbes() {
    List<Probe> open = List.copyOf(probes);
    probes.clear();
    open.forEach(Probe::close);
  }

  /**
   * Notes when bytes of a reply last arrived on one event loop. Bytes that arrived after the first
   * unanswered probe show that the target lives.
   */
  void received(long nanos) {
    if (probing && nanos - answeredNanos > 0) {
      loop.execute(() -> {
        if (probing && nanos - wait.sinceNanos() > 0) {
          lives("answers again");
        }
      });
    }
  }

  /**
   * Ends probing, because the target lives, or because its kernel reports that it does not run; its
   * connections are then closed, so no call awaits it forever.
   *
   * @param event what the target did, for the log
   */
  private void lives(String event) {
    long now = nanoTime.getAsLong();
    answeredNanos = now;
    probing = false;
    closeProbes();
    OptionalLong silentNanos = silentNanos(now);
    if (silentNanos.isPresent()) {
      LOG.info(
          "target {} {} after {} ms of silence",
          address,
          event,
          TimeUnit.NANOSECONDS.toMillis(silentNanos.orElseThrow()));
      silence = null;
    }
  }

  /**
   * Notes that a connection was made. If it is encrypted, another one is kept for probes: its
   * handshake takes long on a busy machine, when probes are needed.
   */
  void connected(boolean encrypted) {
    if (absence != null) {
      endAbsence();
    }
    if (encrypted) {
      loop.execute(this::beginKeeping);
    }
  }

  private void beginKeeping() {
    if (!keepBegun) {
      keepBegun = true;
      keep();
    } else if (kept == null && !probing && !retired) {
      makeKept();
    }
  }

  /** Uses the kept connection, or makes one. */
  private void keep() {
    if (retired) {
      return;
    }
    loop.schedule(this::keep, KEEP_PERIOD_SECONDS, TimeUnit.SECONDS).addListener(this::ticked);
    if (probing) {
      return;
    }
    if (kept != null && !kept.unanswered) {
      kept.send();
      return;
    }
    if (kept != null) {
      kept.close();
    }
    makeKept();
  }

  private void makeKept() {
    Probe made = new Probe();
    kept = made;
    made.connect();
  }

  /** Notes that a connection could not be made, or was not accepted after its handshake. */
  void notConnected(Throwable cause) {
    if (cause instanceof RelayException) {
      return; // This process has given the connection up.
    }
    if (!ConnectionFailures.isRefusal(cause)) {
      logFailure(cause);
    } else if (absence == null) {
      beginAbsence(cause);
    }
  }

  private synchronized void logFailure(Throwable cause) {
    long now = nanoTime.getAsLong();
    if (now - loggedNanos >= LOG_PERIOD_NANOS) {
      loggedNanos = now;
      LOG.warn("target {} {}", address, ConnectionFailures.detail(cause));
    }
  }

  private synchronized void beginAbsence(Throwable cause) {
    if (absence == null) {
      absence = new Period(nanoTime.getAsLong());
      LOG.warn(
          "target {} accepts no connections: {}; each call waits for it for up to {} ms, then"
              + " fails with 503",
          address,
          cause.getMessage(),
          limits.targetWaitMax().toMillis());
    }
  }

  private synchronized void endAbsence() {
    Period ended = absence;
    if (ended != null) {
      absence = null;
      LOG.info(
          "target {} accepts connections again after {} ms",
          address,
          TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - ended.sinceNanos()));
    }
  }

  /** Stops probing a silent target, because no more calls go to this address. */
  void retire() {
    retired = true;
    loop.execute(() -> {
      if (kept != null) {
        kept.close();
      }
    });
  }

  /** A connection for probes, of which at most one is unanswered. */
  private final class Probe extends ChannelInboundHandlerAdapter {
    private @Nullable Channel channel;
    private boolean encrypted;
    private boolean ready;
    private boolean unanswered;
    private boolean failed;

    void connect() {
      unanswered = true;
      connector
          .connect(this, new FixedRecvByteBufAllocator(PROBE_READ_BYTES))
          .addListener(connected -> {
            if (connected.isSuccess()) {
              ready = true;
              if (encrypted) {
                answered(); // The target has taken part in the handshake.
              }
              send();
              return;
            }
            lost();
            if (ConnectionFailures.isRefusal(connected.cause())) {
              ended("accepts no connections");
            }
          });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // A failure closes the connection.
    private void send() {
      Channel to = channel;
      unanswered = true;
      if (to != null && ready) { // Otherwise it is sent as soon as the connection is ready.
        String request =
            "GET " + HttpBinding.PROBE_PATH + " HTTP/1.1\r\nhost: " + address + "\r\n\r\n";
        to.writeAndFlush(Unpooled.copiedBuffer(request, US_ASCII), to.voidPromise());
      }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      channel = context.channel();
      encrypted = context.pipeline().get(SslHandler.class) != null;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object received) {
      ReferenceCountUtil.release(received);
      unanswered = false;
      answered();
    }

    private void answered() {
      if (probes.remove(this)) {
        kept = this;
        lives("answers again");
      }
      if (retired) {
        close();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      lost();
      ended("closed a connection");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
      close();
    }

    private void lost() {
      failed = true;
      if (kept == this) {
        kept = null;
      }
    }

    private void ended(String event) {
      if (probes.contains(this)) {
        lives(event);
      }
    }

    void close() {
      Channel open = channel;
      if (open != null) {
        open.unsafe().close(open.voidPromise());
      }
    }
  }
}
