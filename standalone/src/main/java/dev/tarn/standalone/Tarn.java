package dev.tarn.standalone;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.local.LocalControlPlane;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.gateway.GatewayConfig;
import dev.tarn.gateway.GatewayServer;
import dev.tarn.gateway.admin.Identities;
import dev.tarn.gateway.route.ClusterTarget;
import dev.tarn.standalone.config.Role;
import dev.tarn.standalone.config.TarnConfig;
import dev.tarn.standalone.node.DataFolder;
import dev.tarn.standalone.node.FirstAdmin;
import dev.tarn.standalone.node.KeyPair;
import dev.tarn.standalone.node.ReadyLine;
import dev.tarn.standalone.node.StartFailure;
import dev.tarn.targetnode.api.TargetServices;
import dev.tarn.targetnode.settings.StoredSettings;
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
      return config.role() == Role.TARGET
          ? startTarget(config, parts)
          : startGateway(config, firstAdmin, parts);
    } catch (StartFailure | RuntimeException e) {
      parts.close();
      throw e;
    }
  }

  /** With the target in this process, or with those of the cluster. */
  private static Tarn startGateway(TarnConfig config, Optional<KeyPair> firstAdmin, Parts parts)
      throws StartFailure {
    if (config.gateway().tls().isPresent()) {
      requireFile(
          "gateway.tls.certificate-chain", config.gateway().tls().orElseThrow().certificateChain());
      requireFile("gateway.tls.private-key", config.gateway().tls().orElseThrow().privateKey());
    }
    InstantSource clock = InstantSource.system();
    Identities identities = new Identities(new SecureRandom());
    PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    DataFolder data = openData(config, parts);
    LocalControlPlane control = parts.add(openControl(data));
    Optional<KeyPair> made =
        new FirstAdmin(control, identities, clock)
            .ensure(firstAdmin, DataFolder.credentialsFile(data.path()));
    Targets targets =
        config.role() == Role.GATEWAY
            ? new RemoteTargets(config, control, ClusterAccess.of(config.cluster(), clock))
            : OwnTarget.open(config, data, control);
    parts.add(targets);
    ObjectTarget target =
        new ClusterTarget(
            targets.map(),
            targets::target,
            id -> hasBackend(targets.control(), id),
            targets.refresh(),
            parts.add(Executors.newVirtualThreadPerTaskExecutor()));
    GatewayServer gateway =
        parts.add(new GatewayServer(config.gateway(), targets.control(), target, metrics));
    AdminListener admin =
        parts.add(
            new AdminListener(
                config,
                targets.control(),
                target,
                targets,
                scrape(targets, metrics),
                identities,
                clock));
    // The admin listener first: where it has no address nobody must have been served.
    URI adminUrl = url("http", config.admin().host(), admin.start());
    URI s3 = url(scheme(config.gateway()), config.gateway().host(), listen(gateway));
    return serve(config, parts, data, new Listeners(s3, adminUrl), admin, made);
  }

  private static boolean hasBackend(ControlPlane control, BucketId id) {
    Bucket bucket = control.state().bucket(id);
    return bucket != null && bucket.settings().backend().isPresent();
  }

  /** It has no users, so its admin listener answers probes and metrics alone. */
  private static Tarn startTarget(TarnConfig config, Parts parts) throws StartFailure {
    InstantSource clock = InstantSource.system();
    PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    DataFolder data = openData(config, parts);
    Capabilities capabilities = ClusterAccess.of(config.cluster(), clock);
    StoredSettings settings = openSettings(data);
    OwnTarget own = parts.add(OwnTarget.openMember(config, data, settings));
    AdminListener admin =
        parts.add(
            new AdminListener(
                config,
                own.control(),
                own.target(),
                own,
                scrape(own, metrics),
                new Identities(new SecureRandom()),
                clock));
    URI adminUrl = url("http", config.admin().host(), admin.start());
    TargetServices services =
        new TargetServices(own.target(), settings::offer, own.administration());
    InternalListener listener = parts.add(InternalListener.start(config, services, capabilities));
    URI internal = url("http", config.gateway().host(), listener.port());
    return serve(config, parts, data, new Listeners(internal, adminUrl), admin, Optional.empty());
  }

  private static Tarn serve(
      TarnConfig config,
      Parts parts,
      DataFolder data,
      Listeners listeners,
      AdminListener admin,
      Optional<KeyPair> made)
      throws StartFailure {
    ReadyLine ready =
        new ReadyLine(listeners.data(), listeners.admin(), ProcessHandle.current().pid());
    parts.add(announce(ready, DataFolder.readyFile(data.path())));
    if (config.readyFile().isPresent()) {
      parts.add(announce(ready, config.readyFile().orElseThrow()));
    }
    admin.serving();
    return new Tarn(parts, data.path(), made, ready);
  }

  /** The metrics with the figures of the disks, where there are disks. */
  private static Supplier<String> scrape(Targets targets, PrometheusMeterRegistry metrics)
      throws StartFailure {
    if (!(targets instanceof OwnTarget own)) {
      return metrics::scrape;
    }
    NodeMetrics node = own.measure(metrics);
    return () -> {
      node.refresh();
      return metrics.scrape();
    };
  }

  private static StoredSettings openSettings(DataFolder data) throws StartFailure {
    try {
      return StoredSettings.open(data.node());
    } catch (IOException e) {
      throw new StartFailure(e.getMessage() == null ? e.toString() : e.getMessage(), e);
    }
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

  private static void requireFile(String key, Path file) throws StartFailure {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new StartFailure(key + " is " + file + ", must be a PEM file that can be read");
    }
  }

  private static int listen(GatewayServer gateway) throws StartFailure {
    try {
      return gateway.start();
    } catch (IllegalStateException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new StartFailure(
          Listening.explain(
              e.getMessage() == null ? e.toString() : e.getMessage(), "--listen", cause),
          e);
    }
  }

  /** Where objects are asked for, and where the process itself is. */
  private record Listeners(URI data, URI admin) {}

  /** Writes the ready line; what is returned takes it away again. */
  private static AutoCloseable announce(ReadyLine ready, Path file) throws StartFailure {
    try {
      ready.writeTo(file);
    } catch (IOException e) {
      throw new StartFailure("the ready file " + file + " cannot be written: " + e, e);
    }
    return () -> Files.deleteIfExists(file);
  }

  /**
   * Takes the data folder, and removes the ready files that a killed process has left: it serves no
   * more, and this one not yet.
   */
  private static DataFolder openData(TarnConfig config, Parts parts) throws StartFailure {
    DataFolder data = parts.add(DataFolder.open(config.data()));
    try {
      Files.deleteIfExists(DataFolder.readyFile(data.path()));
      if (config.readyFile().isPresent()) {
        Path ready = config.readyFile().orElseThrow().toAbsolutePath();
        Path folder = ready.getParent();
        if (Files.isDirectory(ready) || folder == null || !Files.isDirectory(folder)) {
          throw new StartFailure(
              "the ready file "
                  + ready
                  + " cannot be written: it must be a file in a folder that"
                  + " is there");
        }
        Files.deleteIfExists(ready);
      }
    } catch (IOException e) {
      throw new StartFailure("an old ready file cannot be removed: " + e, e);
    }
    return data;
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
