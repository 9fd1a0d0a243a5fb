package dev.tarn.standalone.client;

import static java.util.Objects.requireNonNull;

import dev.tarn.sharder.cli.output.FailureHandler;
import dev.tarn.standalone.node.KeyPair;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** Calls the admin API of a server over HTTP. */
public final class AdminClient {
  private static final String API = "/api/v1";
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(1);

  private final URI server;
  private final KeyPair pair;

  public AdminClient(URI server, KeyPair pair) {
    this.server = requireNonNull(server, "server is null");
    this.pair = requireNonNull(pair, "pair is null");
  }

  /**
   * Sends a request and returns the JSON document of the answer.
   *
   * @throws AdminRequestException with the server's message if it rejects the request
   * @throws IOException if there is no answer within a minute, or no valid one
   */
  public JsonObject call(String method, String path, @Nullable JsonObject document)
      throws IOException {
    return call(method, path, document, Map.of());
  }

  /** Like {@link #call(String, String, JsonObject)}, with more headers, which are not signed. */
  public JsonObject call(
      String method, String path, @Nullable JsonObject document, Map<String, String> headers)
      throws IOException {
    URI uri = server.resolve(API + path);
    byte[] body =
        document == null ? new byte[0] : document.encode().getBytes(StandardCharsets.UTF_8);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .method(
                method,
                document == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
            .timeout(ANSWER_TIMEOUT);
    for (Map.Entry<String, List<String>> header : signedHeaders(method, uri, body).entrySet()) {
      // The JDK's client sets the host itself.
      if (!header.getKey().equalsIgnoreCase("host")) {
        header.getValue().forEach(value -> request.header(header.getKey(), value));
      }
    }
    headers.forEach(request::header);
    HttpResponse<String> response = send(request.build());
    JsonObject answer = parse(response.body());
    if (response.statusCode() >= 300) {
      JsonObject error = answer.getJsonObject("error", new JsonObject());
      throw new AdminRequestException(
          response.statusCode(),
          error.getString("message", server + " answered status " + response.statusCode()));
    }
    return answer;
  }

  private Map<String, List<String>> signedHeaders(String method, URI uri, byte[] body) {
    SdkHttpRequest request =
        SdkHttpRequest.builder().method(SdkHttpMethod.fromValue(method)).uri(uri).build();
    return AwsV4HttpSigner.create()
        .sign(signing ->
            signing
                .identity(AwsCredentialsIdentity.create(pair.accessKey(), pair.secretKey()))
                .request(request)
                .payload(ContentStreamProvider.fromByteArrayUnsafe(body))
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
                .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, true))
        .request()
        .headers();
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException {
    try (HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build()) {
      return client.send(request, BodyHandlers.ofString());
    } catch (ConnectException e) {
      throw new IOException("no server answers at " + server + "; is bin/tarn serve running?", e);
    } catch (IOException e) {
      throw new IOException(
          "reading the answer of "
              + server
              + " failed: "
              + FailureHandler.message(e)
              + "; is the URL right?",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for " + server, e);
    }
  }

  private JsonObject parse(String text) throws IOException {
    try {
      return new JsonObject(text);
    } catch (DecodeException e) {
      throw new IOException(
          server + " is not the admin listener of a Tarn server; check the URL", e);
    }
  }
}
