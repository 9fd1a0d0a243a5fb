package dev.tarn.standalone;

import dev.tarn.cluster.control.local.LocalControlPlane;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.gateway.GatewayConfig;
import dev.tarn.gateway.GatewayServer;
import dev.tarn.gateway.admin.Identities;
import dev.tarn.gateway.route.ClusterTarget;
import dev.tarn.gateway.route.Refresh;
import dev.tarn.standalone.config.TarnConfig;
import dev.tarn.standalone.node.DataFolder;
import dev.tarn.standalone.node.FirstAdmin;
import dev.tarn.standalone.node.KeyPair;
import dev.tarn.standalone.node.ReadyLine;
import dev.tarn.standalone.node.StartFailure;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A whole process: what it is made of, in the order in which it starts. */
public final class Tarn implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Tarn.class);

  private final Parts parts;
  private final Path folder;
  private final Optional<KeyPair> madePair;
  private final ReadyLine ready;

  private Tarn(Parts parts, Path folder, Optional<KeyPair> madePair, ReadyLine ready) {
    this.parts = parts;
    this.folder = folder;
    this.madePair = madePair;
    this.ready = ready;
  }

  /**
   * Starts to serve.
   *
   * @param config what to be
   * @param firstAdmin the key pair of the first admin; without it one is made when there is none
   * @throws StartFailure after everything started so far has been closed again
   */
  public static Tarn start(TarnConfig config, Optional<KeyPair> firstAdmin) throws StartFailure {
    Parts parts = new Parts();
    try {
      return start(config, firstAdmin, parts);
    } catch (StartFailure | RuntimeException e) {
      parts.close();
      throw e;
    }
  }

  private static Tarn start(TarnConfig config, Optional<KeyPair> firstAdmin, Parts parts)
      throws StartFailure {
    InstantSource clock = InstantSource.system();
    Identities identities = new Identities(new SecureRandom());
    PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    DataFolder data = parts.add(DataFolder.open(config.data()));
    LocalControlPlane control = parts.add(openControl(data));
    Optional<KeyPair> made =
        new FirstAdmin(control, identities, clock)
            .ensure(firstAdmin, DataFolder.credentialsFile(data.path()));
    OwnTarget own = parts.add(OwnTarget.open(config, data, control));
    ObjectTarget target =
        new ClusterTarget(
            own.map(),
            _ -> own.target(),
            Refresh.NONE,
            parts.add(Executors.newVirtualThreadPerTaskExecutor()));
    GatewayServer gateway =
        parts.add(new GatewayServer(config.gateway(), control, target, metrics));
    NodeMetrics nodeMetrics = own.measure(metrics);
    Supplier<String> scrape =
        () -> {
          nodeMetrics.refresh();
          return metrics.scrape();
        };
    AdminListener admin =
        parts.add(new AdminListener(config, control, target, own, scrape, identities, clock));

    ReadyLine ready =
        new ReadyLine(
            url(scheme(config.gateway()), config.gateway().host(), listen(gateway)),
            url("http", config.admin().host(), admin.start()),
            ProcessHandle.current().pid());
    parts.add(announce(ready, DataFolder.readyFile(data.path())));
    if (config.readyFile().isPresent()) {
      parts.add(announce(ready, config.readyFile().orElseThrow()));
    }
    admin.serving();
    return new Tarn(parts, data.path(), made, ready);
  }

  private static LocalControlPlane openControl(DataFolder data) throws StartFailure {
    try {
      LocalControlPlane control = LocalControlPlane.open(data.control());
      int torn = control.recovery().tornBytes();
      if (torn > 0) {
        LOG.warn(
            "the control log ended in {} bytes of a command that was never acknowledged; cut off",
            torn);
      }
      return control;
    } catch (IOException e) {
      throw new StartFailure(e.getMessage() == null ? e.toString() : e.getMessage(), e);
    }
  }

  private static int listen(GatewayServer gateway) throws StartFailure {
    try {
      return gateway.start();
    } catch (IllegalStateException e) {
      throw new StartFailure(e.getMessage() == null ? e.toString() : e.getMessage(), e);
    }
  }

  /** Writes the ready line; what is returned takes it away again. */
  private static AutoCloseable announce(ReadyLine ready, Path file) throws StartFailure {
    try {
      ready.writeTo(file);
    } catch (IOException e) {
      throw new StartFailure("the ready file " + file + " cannot be written: " + e, e);
    }
    return () -> Files.deleteIfExists(file);
  }

  private static String scheme(GatewayConfig config) {
    return config.tls().isPresent() ? "https" : "http";
  }

  private static URI url(String scheme, String host, int port) {
    return URI.create(
        scheme + "://" + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port);
  }

  /** Where it serves. */
  public ReadyLine ready() {
    return ready;
  }

  /** The first admin's pair if it was made by this start. */
  public Optional<KeyPair> madePair() {
    return madePair;
  }

  /** Where the first admin's pair is kept if one was ever made. */
  public Path credentialsFile() {
    return DataFolder.credentialsFile(folder);
  }

  /** Stops accepting, lets what is in flight finish, flushes, and gives the data folder free. */
  @Override
  public void close() {
    LOG.info("stopping: no new connections, what is in flight may finish");
    parts.close();
    LOG.info("stopped");
  }
}
