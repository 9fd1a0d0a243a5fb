package dev.tarn.gateway;

import static java.util.Objects.requireNonNull;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.gateway.accesslog.AccessLog;
import dev.tarn.gateway.http.GatewayLimits;
import dev.tarn.gateway.http.HttpListener;
import dev.tarn.gateway.http.HttpSettings;
import dev.tarn.gateway.metrics.RequestMetrics;
import dev.tarn.gateway.profile.IoProfile;
import dev.tarn.gateway.route.ReadTickets;
import dev.tarn.gateway.s3.S3Gateway;
import dev.tarn.gateway.s3.operation.S3Settings;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The S3 front end: a listener in front of a control plane, which has the buckets and keys, and of
 * a target, which stores objects.
 */
public final class GatewayServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GatewayServer.class);

  private final GatewayConfig config;
  private final Vertx vertx;
  private final HttpListener listener;
  private final IoProfile profile = new IoProfile(InstantSource.system());
  private final @Nullable AccessLog accessLog;
  private final int eventLoops = Runtime.getRuntime().availableProcessors();
  private boolean closed;

  /** Creates a gateway without direct reads. */
  public GatewayServer(
      GatewayConfig config, ControlPlane control, ObjectTarget target, MeterRegistry registry) {
    this(config, control, target, ReadTickets.NONE, registry);
  }

  /**
   * Creates a gateway.
   *
   * @param target all targets of the cluster; usually a {@link
   *     dev.tarn.gateway.route.ClusterTarget}
   * @param tickets let clients read directly from the targets
   */
  public GatewayServer(
      GatewayConfig config,
      ControlPlane control,
      ObjectTarget target,
      ReadTickets tickets,
      MeterRegistry registry) {
    this.config = requireNonNull(config, "config is null");
    this.vertx =
        Vertx.vertx(
            new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(eventLoops));
    this.accessLog = config.accessLog().map(AccessLog::open).orElse(null);
    RequestMetrics metrics = new RequestMetrics(registry, profile);
    S3Gateway gateway =
        new S3Gateway(s3Settings(config), control, target, tickets, metrics, accessLog);
    this.listener = new HttpListener(vertx, httpSettings(config), gateway);
    metrics.watch(listener::openConnections, listener::inFlight, listener::heldBytes);
    if (accessLog != null) {
      metrics.watch(accessLog);
    }
  }

  /**
   * Starts to serve.
   *
   * @return the port
   * @throws IllegalStateException if the address cannot be bound or the certificate cannot be read
   */
  public int start() {
    try {
      int port = await(listener.listen(eventLoops));
      LOG.info(
          "S3 listener on {}:{} with {} on {} event loops",
          config.host(),
          port,
          vertx.isNativeTransportEnabled()
              ? "native epoll"
              : "NIO, because there is no native transport: "
                  + vertx.unavailableNativeTransportCause(),
          eventLoops);
      return port;
    } catch (CompletionException e) {
      close();
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IllegalStateException(
          "S3 listener cannot serve on "
              + config.host()
              + ":"
              + config.port()
              + ": "
              + cause.getMessage(),
          cause);
    }
  }

  /** What the requests were. */
  public IoProfile profile() {
    return profile;
  }

  /**
   * Accepts no more connections, lets requests in flight end within the configured limit, and frees
   * all resources.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    boolean drained = await(listener.drain(config.limits().drainMsMax()));
    if (!drained) {
      LOG.warn(
          "{} requests had not ended after {} ms and were cut off",
          listener.inFlight(),
          config.limits().drainMsMax());
    }
    await(vertx.close());
    if (accessLog != null) {
      accessLog.close();
    }
  }

  private static <T> T await(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().join();
  }

  private static HttpSettings httpSettings(GatewayConfig config) {
    Path chain = config.tls().map(GatewayConfig.TlsFiles::certificateChain).orElse(null);
    Path key = config.tls().map(GatewayConfig.TlsFiles::privateKey).orElse(null);
    return new HttpSettings(config.host(), config.port(), chain, key, limits(config));
  }

  /** The configured limits, with fewer connections if the process may open too few files. */
  private static GatewayLimits limits(GatewayConfig config) {
    GatewayLimits limits = config.limits();
    if (!(ManagementFactory.getOperatingSystemMXBean()
        instanceof UnixOperatingSystemMXBean system)) {
      return limits;
    }
    long openFilesMax = system.getMaxFileDescriptorCount();
    GatewayLimits possible = limits.withinOpenFiles(openFilesMax);
    if (possible.connectionsMax() < limits.connectionsMax()) {
      LOG.warn(
          "connections are limited to {} instead of {}, because the process may open {} files;"
              + " raise this limit (ulimit -n)",
          possible.connectionsMax(),
          limits.connectionsMax(),
          openFilesMax);
    }
    return possible;
  }

  private static S3Settings s3Settings(GatewayConfig config) {
    return new S3Settings(
        config.region(), config.domains(), config.bucketDefaults(), config.limits());
  }
}
