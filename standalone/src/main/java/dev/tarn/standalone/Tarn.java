package dev.tarn.standalone;

import dev.tarn.gateway.admin.Identities;
import dev.tarn.sharder.cli.output.FailureHandler;
import dev.tarn.standalone.config.TarnConfig;
import dev.tarn.standalone.node.DataFolder;
import dev.tarn.standalone.node.KeyPair;
import dev.tarn.standalone.node.ReadyLine;
import dev.tarn.standalone.node.StartFailure;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Tarn process: its data folder, its role and its ready line. */
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
   * @param config the configuration
   * @param firstAdmin the key pair of the first admin, if this process has the control plane; if it
   *     is empty and there is no admin, a pair is generated
   * @throws StartFailure if a part does not start; all parts started before are closed
   */
  public static Tarn start(TarnConfig config, Optional<KeyPair> firstAdmin) throws StartFailure {
    Parts parts = new Parts();
    try {
      if (!DataFolder.isInUse(config.data())) {
        // A start that fails for its address creates no data folder.
        Listening.requireFree(config);
      }
      DataFolder data = openData(config, parts);
      Start start =
          new Start(
              config,
              firstAdmin,
              data,
              parts,
              new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
              new Identities(new SecureRandom()),
              InstantSource.system());
      Serving serving =
          switch (config.role()) {
            case ALL -> GatewayRole.startAlone(start);
            case CONTROL -> ControlRole.start(start);
            case GATEWAY -> GatewayRole.startMember(start);
            case TARGET -> TargetRole.start(start);
          };
      return announced(start, serving);
    } catch (StartFailure | RuntimeException e) {
      parts.close();
      throw e;
    }
  }

  private static Tarn announced(Start start, Serving serving) throws StartFailure {
    ReadyLine ready =
        new ReadyLine(
            serving.listener(), serving.url(), serving.adminUrl(), ProcessHandle.current().pid());
    Path folder = start.data().path();
    start.parts().add(announce(ready, DataFolder.readyFile(folder)));
    if (start.config().readyFile().isPresent()) {
      start.parts().add(announce(ready, start.config().readyFile().orElseThrow()));
    }
    serving.admin().serving();
    start.parts().add(serving.admin()::draining);
    return new Tarn(start.parts(), folder, serving.madePair(), ready);
  }

  /** Writes the ready line. Closing the result deletes the file. */
  private static AutoCloseable announce(ReadyLine ready, Path file) throws StartFailure {
    try {
      ready.writeTo(file);
    } catch (IOException e) {
      throw new StartFailure(
          "the ready file " + file + " cannot be written: " + FailureHandler.message(e), e);
    }
    return () -> Files.deleteIfExists(file);
  }

  /**
   * Opens the data folder and deletes ready files that a killed process left. This process is not
   * ready yet.
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
                  + " cannot be written: it must be a file in an existing folder");
        }
        Files.deleteIfExists(ready);
      }
    } catch (IOException e) {
      throw new StartFailure(
          "an old ready file cannot be removed: " + FailureHandler.message(e), e);
    }
    return data;
  }

  /** The line that tells where this process serves. */
  public ReadyLine ready() {
    return ready;
  }

  /** The first admin's key pair if this start generated it. */
  public Optional<KeyPair> madePair() {
    return madePair;
  }

  /** The file that keeps the first admin's key pair, if one was ever generated. */
  public Path credentialsFile() {
    return DataFolder.credentialsFile(folder);
  }

  /**
   * Accepts no more connections, waits for requests in flight within their limits, flushes, and
   * releases the data folder.
   */
  @Override
  public void close() {
    LOG.info("stopping: no new connections; requests in progress may finish");
    parts.close();
    LOG.info("stopped");
  }
}
