package dev.tarn.standalone.admin;

import static java.util.Objects.requireNonNull;

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
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Calls the admin API of a server over HTTP. */
public final class AdminClient {
  private static final String API = "/api/v1";
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(1);

  private final URI server;
  private final RequestSigner signer;

  public AdminClient(URI server, KeyPair pair) {
    this.server = requireNonNull(server, "server is null");
    this.signer = new RequestSigner(pair, InstantSource.system());
  }

  /**
   * Sends a request and returns the JSON document of the answer.
   *
   * @throws AdminRequestException with the server's message if it rejects the request
   * @throws IOException if there is no answer within a minute, or no valid one
   */
  public JsonObject call(String method, String path, @Nullable JsonObject document)
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
    signer.sign(method, uri, body).forEach(request::header);
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
          server + " gave no answer that can be read: " + e.getMessage() + "; is it the right URL?",
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
      throw new IOException(server + " is not the admin listener of a Tarn server", e);
    }
  }
}
