package dev.tarn.benchmarks.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Renders requests to one server, signed if there are credentials. Not thread-safe. */
public final class Requests {
  private static final ByteBuffer NO_BODY = ByteBuffer.allocateDirect(0);

  private final String host;
  private final Optional<Signer> signer;

  private Requests(InetSocketAddress server, Optional<Signer> signer) {
    requireNonNull(server, "server is null");
    host = server.getAddress().getHostAddress() + ":" + server.getPort();
    this.signer = signer;
  }

  /** Signs requests with the current time: send them within 15 minutes. */
  public static Requests signed(InetSocketAddress server, Credentials credentials) {
    return new Requests(server, Optional.of(new Signer(credentials, Instant.now())));
  }

  public static Requests unsigned(InetSocketAddress server) {
    return new Requests(server, Optional.empty());
  }

  public PreparedRequest get(String path, Expectation expectation) {
    return get(path, "", expectation);
  }

  /**
   * A GET with a query.
   *
   * @param path percent-encoded
   * @param query in canonical form
   */
  public PreparedRequest get(String path, String query, Expectation expectation) {
    return render("GET", path, query, NO_BODY, Signer.EMPTY_PAYLOAD, expectation);
  }

  public PreparedRequest head(String path, Expectation expectation) {
    return render("HEAD", path, "", NO_BODY, Signer.EMPTY_PAYLOAD, expectation);
  }

  /**
   * A PUT of known length.
   *
   * @param payloadHash hex SHA-256 of the body, or {@link Signer#UNSIGNED_PAYLOAD}
   */
  public PreparedRequest put(
      String path, ByteBuffer body, String payloadHash, Expectation expectation) {
    return render("PUT", path, "", body, payloadHash, expectation);
  }

  private PreparedRequest render(
      String method,
      String path,
      String query,
      ByteBuffer body,
      String payloadHash,
      Expectation expectation) {
    Map<String, String> headers = new TreeMap<>(Map.of("host", host));
    headers =
        signer.isPresent()
            ? signer.orElseThrow().sign(method, path, query, headers, payloadHash)
            : headers;
    StringBuilder head = new StringBuilder(640);
    head.append(method).append(' ').append(path);
    if (!query.isEmpty()) {
      head.append('?').append(query);
    }
    head.append(" HTTP/1.1\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    if (method.equals("PUT")) {
      head.append("content-length: ").append(body.remaining()).append("\r\n");
    }
    byte[] bytes = head.append("\r\n").toString().getBytes(US_ASCII);
    return new PreparedRequest(ByteBuffer.wrap(bytes), body, !method.equals("HEAD"), expectation);
  }
}
