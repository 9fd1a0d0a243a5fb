package dev.tarn.benchmarks.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The content of a server's ready line.
 *
 * @param address the address of its main listener
 * @param admin the URL of its admin listener
 * @param pid the process id of the server, not of its launcher
 */
record StartedServer(InetSocketAddress address, URI admin, long pid) {
  private static final Pattern LINE =
      Pattern.compile("ready (?:s3|target|control)=(\\S+) admin=(\\S+) pid=(\\d+)\\s*");

  static Optional<StartedServer> read(Path file) throws IOException {
    return Files.exists(file) ? parse(Files.readString(file)) : Optional.empty();
  }

  /** Parses a ready line; empty if the line is incomplete. */
  static Optional<StartedServer> parse(String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    URI url = URI.create(matcher.group(1));
    return Optional.of(
        new StartedServer(
            new InetSocketAddress(url.getHost(), url.getPort()),
            URI.create(matcher.group(2)),
            Long.parseLong(matcher.group(3))));
  }
}
