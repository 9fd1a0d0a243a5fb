package dev.tarn.gateway.metrics;

import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.accesslog.AccessLog;
import dev.tarn.gateway.http.ExchangeRecord;
import dev.tarn.gateway.profile.IoProfile;
import dev.tarn.transport.body.ReceiveBuffers;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Counts requests by operation, status and size class, with latency histograms. The meters of each
 * combination are registered once and cached, so that a lookup does not use the registry.
 */
public final class RequestMetrics {
  private static final Duration[] LATENCY_BOUNDS = {
    Duration.ofNanos(100_000),
    Duration.ofNanos(250_000),
    Duration.ofMillis(1),
    Duration.ofMillis(5),
    Duration.ofMillis(25),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofMillis(2500),
    Duration.ofSeconds(10),
    Duration.ofSeconds(60)
  };

  private final MeterRegistry registry;
  private final IoProfile profile;
  private final Counter bytesIn;
  private final Counter bytesOut;
  private final ConcurrentMap<TimerKey, Timer> timers = new ConcurrentHashMap<>();

  /**
   * Registers the counters.
   *
   * @param profile also records each request
   */
  public RequestMetrics(MeterRegistry registry, IoProfile profile) {
    this.registry = requireNonNull(registry, "registry is null");
    this.profile = requireNonNull(profile, "profile is null");
    this.bytesIn =
        Counter.builder("tarn.s3.received")
            .baseUnit("bytes")
            .description("Bytes of request bodies")
            .register(registry);
    this.bytesOut =
        Counter.builder("tarn.s3.sent")
            .baseUnit("bytes")
            .description("Bytes of answers' bodies")
            .register(registry);
  }

  /** Registers gauges for open connections, requests in flight and the memory that both hold. */
  public void watch(IntSupplier openConnections, IntSupplier inFlight, LongSupplier heldBytes) {
    // The registry keeps a strong reference to a supplier, but only a weak one to a measured
    // object.
    Gauge.builder("tarn.memory.receive.buffers", ReceiveBuffers::inUse)
        .description("buffers of 64 KiB that hold parts of bodies being received")
        .register(registry);
    Gauge.builder("tarn.s3.connections.open", openConnections::getAsInt)
        .description("Connections of clients")
        .register(registry);
    Gauge.builder("tarn.s3.requests.in.flight", inFlight::getAsInt)
        .description("S3 requests that have begun and not ended")
        .register(registry);
    Gauge.builder("tarn.s3.held", heldBytes::getAsLong)
        .baseUnit("bytes")
        .description("Memory that connections and requests of clients hold, as last counted")
        .register(registry);
  }

  /** Registers a counter for the lines that the access log has dropped. */
  public void watch(AccessLog accessLog) {
    FunctionCounter.builder("tarn.access.log.dropped", accessLog, AccessLog::dropped)
        .baseUnit("lines")
        .description("Requests that are not in the access log: its disk was full or too slow")
        .register(registry);
  }

  /** Counts one request that has ended. */
  public void count(ExchangeRecord record) {
    profile.record(record);
    if (record.bytesIn() > 0) {
      bytesIn.increment((double) record.bytesIn());
    }
    if (record.bytesOut() > 0) {
      bytesOut.increment((double) record.bytesOut());
    }
    SizeClass size = SizeClass.of(Math.max(record.bytesIn(), record.bytesOut()));
    timer(record.operation(), record.status(), size)
        .record(record.durationNanos(), TimeUnit.NANOSECONDS);
  }

  private Timer timer(String operation, int status, SizeClass size) {
    TimerKey key = new TimerKey(operation, status, size);
    Timer timer = timers.get(key);
    return timer == null ? timers.computeIfAbsent(key, this::register) : timer;
  }

  private Timer register(TimerKey key) {
    return Timer.builder("tarn.s3.requests")
        .description("S3 requests, from the head's arrival to the answer's last byte")
        .tag("operation", key.operation)
        .tag("status", Integer.toString(key.status))
        .tag("size", key.size.label())
        .serviceLevelObjectives(LATENCY_BOUNDS)
        .register(registry);
  }

  private record TimerKey(String operation, int status, SizeClass size) {}
}
