package dev.tarn.standalone.command;

import dev.tarn.standalone.client.AdminClient;
import dev.tarn.standalone.node.DataFolder;
import dev.tarn.standalone.node.KeyPair;
import dev.tarn.standalone.node.ReadyLine;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The admin listener's URL and the key pair: from flags, the environment, or the local data folder,
 * in this order.
 */
final class AdminOptions {
  private static final String URL_VARIABLE = "TARN_ADMIN_URL";

  @Option(
      names = "--admin-url",
      paramLabel = "URL",
      description =
          "URL of the admin listener; default: TARN_ADMIN_URL, then the URL in the data folder.")
  private @Nullable String adminUrl;

  @Option(
      names = "--credentials",
      paramLabel = "FILE",
      description =
          "File with a key pair as aws-cli writes it; default: TARN_ACCESS_KEY and TARN_SECRET_KEY,"
              + " then the key pair in the data folder, then AWS_ACCESS_KEY_ID and"
              + " AWS_SECRET_ACCESS_KEY.")
  private @Nullable Path credentials;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data folder of a server on this machine.")
  private @Nullable Path data;

  @Option(names = "--json", description = "Print the answer as JSON.")
  private boolean json;

  boolean json() {
    return json;
  }

  /**
   * The client for the admin API.
   *
   * @throws IllegalArgumentException if an option or an environment variable is invalid
   * @throws IOException if no URL or no key pair is found
   */
  AdminClient client() throws IOException {
    Map<String, String> environment = System.getenv();
    return new AdminClient(url(environment), pair(environment));
  }

  private Path folder(Map<String, String> environment) {
    return data == null ? DataFolder.defaultFolder(environment) : data;
  }

  private URI url(Map<String, String> environment) throws IOException {
    if (adminUrl != null) {
      return parse("--admin-url", adminUrl);
    }
    String variable = environment.getOrDefault(URL_VARIABLE, "");
    if (!variable.isEmpty() && data == null) {
      return parse(URL_VARIABLE, variable);
    }
    Path readyFile = DataFolder.readyFile(folder(environment));
    return ReadyLine.read(readyFile)
        .map(ReadyLine::admin)
        .orElseThrow(() ->
            new IOException(
                "no server has left its address in "
                    + readyFile
                    + "; start bin/tarn serve, or give --data, --admin-url or TARN_ADMIN_URL"));
  }

  private static URI parse(String origin, String text) {
    try {
      URI url = new URI(text);
      boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      if (http && url.getHost() != null && url.getPath().length() <= 1) {
        return url;
      }
    } catch (URISyntaxException _) {
      // Reported below.
    }
    throw new IllegalArgumentException(
        origin + " is '" + text + "', must be http://HOST:PORT, such as http://127.0.0.1:9001");
  }

  private KeyPair pair(Map<String, String> environment) throws IOException {
    if (credentials != null) {
      return KeyPair.requiredIn(credentials, "--credentials");
    }
    Optional<KeyPair> variables = KeyPair.inEnvironment(environment);
    if (variables.isPresent()) {
      return variables.orElseThrow();
    }
    Path file = DataFolder.credentialsFile(folder(environment));
    return KeyPair.inFile(file)
        .or(() -> KeyPair.ofAws(environment))
        .orElseThrow(() ->
            new IOException(
                "there is no key pair in "
                    + file
                    + "; set TARN_ACCESS_KEY and TARN_SECRET_KEY, or AWS_ACCESS_KEY_ID and"
                    + " AWS_SECRET_ACCESS_KEY, or give --credentials"));
  }
}
