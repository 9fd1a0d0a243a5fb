package dev.tarn.benchmarks.load;

import static java.util.Objects.requireNonNull;

import dev.tarn.benchmarks.server.Credentials;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** Renders requests to one server, signed if there are credentials. Not thread-safe. */
public final class Requests {
  private static final ByteBuffer NO_BODY = ByteBuffer.allocateDirect(0);

  private static final AwsV4HttpSigner SIGNER = AwsV4HttpSigner.create();

  private final String host;
  private final Optional<Credentials> credentials;
  private final Clock clock;
  private final Map<String, String> headers;

  Requests(String host, Optional<Credentials> credentials, Clock clock) {
    this(host, credentials, clock, Map.of());
  }

  private Requests(
      String host, Optional<Credentials> credentials, Clock clock, Map<String, String> headers) {
    this.host = requireNonNull(host, "host is null");
    this.credentials = requireNonNull(credentials, "credentials is null");
    this.clock = requireNonNull(clock, "clock is null");
    this.headers = headers;
  }

  /** Renders requests with one more header. */
  public Requests withHeader(String name, String value) {
    return new Requests(host, credentials, clock, Map.of(name, value));
  }

  /** Signs requests with the current time: send them within 15 minutes. */
  public static Requests signed(InetSocketAddress server, Credentials credentials) {
    return new Requests(host(server), Optional.of(credentials), Clock.systemUTC());
  }

  public static Requests unsigned(InetSocketAddress server) {
    return new Requests(host(server), Optional.empty(), Clock.systemUTC());
  }

  private static String host(InetSocketAddress server) {
    return server.getAddress().getHostAddress() + ":" + server.getPort();
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
    return render("GET", path, query, NO_BODY, PayloadHash.SIGNED, expectation);
  }

  public PreparedRequest head(String path, Expectation expectation) {
    return render("HEAD", path, "", NO_BODY, PayloadHash.SIGNED, expectation);
  }

  /**
   * A PUT of known length.
   *
   * @param payloadHash whether the signature covers the body
   */
  public PreparedRequest put(
      String path, ByteBuffer body, PayloadHash payloadHash, Expectation expectation) {
    return render("PUT", path, "", body, payloadHash, expectation);
  }

  private PreparedRequest render(
      String method,
      String path,
      String query,
      ByteBuffer body,
      PayloadHash payloadHash,
      Expectation expectation) {
    String target = query.isEmpty() ? path : path + "?" + query;
    Map<String, List<String>> headers =
        credentials.isPresent()
            ? sign(credentials.orElseThrow(), method, target, body, payloadHash)
            : unsigned();
    return new PreparedRequest(method, target, headers, body, expectation);
  }

  private Map<String, List<String>> unsigned() {
    Map<String, List<String>> all = new HashMap<>();
    all.put("Host", List.of(host));
    headers.forEach((name, value) -> all.put(name, List.of(value)));
    return all;
  }

  private Map<String, List<String>> sign(
      Credentials keys, String method, String target, ByteBuffer body, PayloadHash payloadHash) {
    // The signer leaves out the hash of a body only where TLS protects the body. The scheme itself
    // is not signed.
    String scheme = payloadHash == PayloadHash.SIGNED ? "http" : "https";
    SdkHttpRequest.Builder unsigned =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.fromValue(method))
            .uri(URI.create(scheme + "://" + host + target));
    headers.forEach(unsigned::putHeader);
    SdkHttpRequest request = unsigned.build();
    byte[] bytes = new byte[payloadHash == PayloadHash.SIGNED ? body.remaining() : 0];
    body.duplicate().get(bytes);
    return SIGNER
        .sign(signing ->
            signing
                .identity(AwsCredentialsIdentity.create(keys.accessKey(), keys.secretKey()))
                .request(request)
                .payload(ContentStreamProvider.fromByteArrayUnsafe(bytes))
                .putProperty(HttpSigner.SIGNING_CLOCK, clock)
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
                .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                .putProperty(
                    AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, payloadHash == PayloadHash.SIGNED))
        .request()
        .headers();
  }
}
