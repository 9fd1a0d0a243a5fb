package dev.tarn.standalone.command;

import dev.tarn.client.storage.AccessKeys;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.standalone.Tarn;
import dev.tarn.standalone.config.ConfigBinder;
import dev.tarn.standalone.config.ConfigException;
import dev.tarn.standalone.config.Settings;
import dev.tarn.standalone.config.TarnConfig;
import dev.tarn.standalone.node.KeyPair;
import dev.tarn.standalone.node.StartFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;

/** A server on free ports and the command line that talks to it. */
final class RunningTarn implements AutoCloseable {
  private final Path data;
  private final Tarn tarn;

  private RunningTarn(Path data, Tarn tarn) {
    this.data = data;
    this.tarn = tarn;
  }

  static RunningTarn start(Path data) throws ConfigException, StartFailure {
    return start(data, Settings.none());
  }

  static RunningTarn start(Path data, Settings settings) throws ConfigException, StartFailure {
    return new RunningTarn(data, Tarn.start(config(data, settings), Optional.empty()));
  }

  /** Free ports, unless the settings say otherwise. */
  static TarnConfig config(Path data, Settings settings) throws ConfigException {
    Settings ports =
        Settings.none().with("gateway.port", "0", "test").with("admin.port", "0", "test");
    return ConfigBinder.bind(TarnConfig.defaults(data), ports.overlaidWith(settings)).value();
  }

  /** The server's objects, as its first admin. */
  Storage storage() throws IOException {
    KeyPair pair = KeyPair.inFile(tarn.credentialsFile()).orElseThrow();
    return Storage.open(
        StorageOptions.builder()
            .endpoint(tarn.ready().url())
            .region("us-east-1")
            .credentials(AccessKeys.of(pair.accessKey(), pair.secretKey()))
            .build());
  }

  Tarn tarn() {
    return tarn;
  }

  /** Runs a command against this server. */
  Result run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--data", data.toString()));
    return execute(all.toArray(String[]::new));
  }

  static Result execute(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int exitCode = line.execute(arguments);
    return new Result(exitCode, out.toString(), err.toString());
  }

  record Result(int exitCode, String out, String err) {}

  @Override
  public void close() {
    tarn.close();
  }
}
