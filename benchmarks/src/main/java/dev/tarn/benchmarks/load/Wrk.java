package dev.tarn.benchmarks.load;

import static java.util.Objects.requireNonNull;

import dev.tarn.benchmarks.measure.MeasuredCommand;
import dev.tarn.benchmarks.server.InstalledTool;
import dev.tarn.benchmarks.server.TarnHome;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The load generator wrk with one thread. It sends prepared requests in turn, as fast as the server
 * answers. It checks only that no status is above 399.
 */
public final class Wrk {
  /**
   * wrk breaks requests off at the end. Their CPU time counts, but they do not, so large bodies
   * would distort the result.
   */
  private static final int BODY_BYTES_MAX = 1 << 20;

  private static final Pattern RESULT =
      Pattern.compile("answers (\\d+) micros (\\d+) failures (\\d+)");

  private final TarnHome home;
  private final Path scratch;

  /**
   * @param scratch a folder for its files
   */
  public Wrk(TarnHome home, Path scratch) {
    this.home = requireNonNull(home, "home is null");
    this.scratch = requireNonNull(scratch, "scratch is null");
  }

  /**
   * Whether wrk can send the requests. It waits for the body that the answer to a HEAD announces.
   */
  public static boolean canSend(List<PreparedRequest> requests) {
    return requests.stream()
        .allMatch(request ->
            request.body().remaining() <= BODY_BYTES_MAX
                && request.expectation().length().orElse(0)
                    <= (request.method().equals("HEAD") ? 0 : BODY_BYTES_MAX));
  }

  /**
   * Sends the load.
   *
   * @throws IOException if a request failed
   */
  public LoadResult run(
      InetSocketAddress server, List<PreparedRequest> requests, int connections, Duration duration)
      throws IOException {
    Path prepared = write(requests);
    Path log = scratch.resolve("wrk.log");
    ProcessBuilder command =
        new ProcessBuilder(
            InstalledTool.path(home, "wrk", scratch).toString(),
            "--threads",
            "1",
            "--connections",
            Integer.toString(connections),
            "--duration",
            duration.toSeconds() + "s",
            "--timeout",
            "60s",
            "--script",
            home.script("prepared.lua").toString(),
            "http://%s:%d/".formatted(server.getAddress().getHostAddress(), server.getPort()),
            prepared.toString());
    MeasuredCommand.run(command, log);
    return result(Files.readString(log));
  }

  /** Reads what the script prints at the end. */
  static LoadResult result(String output) throws IOException {
    Matcher matcher = RESULT.matcher(output);
    if (!matcher.find() || matcher.group(1).equals("0") || !matcher.group(3).equals("0")) {
      throw new IOException("wrk had no answers, or failures: " + output);
    }
    return new LoadResult(
        Long.parseLong(matcher.group(1)),
        TimeUnit.MICROSECONDS.toNanos(Long.parseLong(matcher.group(2))));
  }

  private Path write(List<PreparedRequest> requests) throws IOException {
    Path file = scratch.resolve("requests");
    List<ByteBuffer> heads = requests.stream().map(PreparedRequest::head).toList();
    StringBuilder lengths = new StringBuilder();
    for (int i = 0; i < heads.size(); i++) {
      lengths.append(heads.get(i).remaining() + requests.get(i).body().remaining()).append('\n');
    }
    lengths.append('\n');
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file));
        WritableByteChannel channel = Channels.newChannel(out)) {
      out.write(lengths.toString().getBytes(StandardCharsets.US_ASCII));
      for (int i = 0; i < heads.size(); i++) {
        channel.write(heads.get(i));
        channel.write(requests.get(i).body().duplicate());
      }
    }
    return file;
  }
}
