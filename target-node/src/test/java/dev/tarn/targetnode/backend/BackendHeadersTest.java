package dev.tarn.targetnode.backend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The headers of requests to a backend. */
final class BackendHeadersTest {
  private static final ObjectKey KEY = ObjectKey.of("key");
  private static final byte[] COPIED =
      "<CopyObjectResult><ETag>\"e\"</ETag></CopyObjectResult>".getBytes(UTF_8);

  private final BlockingQueue<Headers> received = new LinkedBlockingQueue<>();
  private final HttpServer server;
  private final Backend backend;

  BackendHeadersTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    URI endpoint = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    backend =
        S3Backend.open(
            new BackendSettings(Optional.of(endpoint), "us-east-1", "b", "", "a", "s"),
            BackendLimits.DEFAULT);
  }

  private void answer(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    received.add(exchange.getRequestHeaders());
    exchange.getResponseHeaders().set("etag", "\"e\"");
    exchange.sendResponseHeaders(200, COPIED.length);
    exchange.getResponseBody().write(COPIED);
    exchange.close();
  }

  @AfterEach
  void stop() {
    backend.close();
    server.stop(0);
  }

  @Test
  void allETagsOfAConditionalPutAreSent() {
    put(conditions(List.of("1", "2"), List.of()));
    assertThat(received.remove().getFirst("if-match")).isEqualTo("\"1\", \"2\"");
    put(conditions(List.of(), List.of("1", "2")));
    assertThat(received.remove().getFirst("if-none-match")).isEqualTo("\"1\", \"2\"");
    put(conditions(List.of(), List.of("*")));
    assertThat(received.remove().getFirst("if-none-match")).isEqualTo("*");
  }

  @Test
  void allETagsOfAConditionalDeleteAreSent() {
    backend.delete(KEY, Optional.empty(), conditions(List.of("1", "2"), List.of()), false);
    assertThat(received.remove().getFirst("if-match")).isEqualTo("\"1\", \"2\"");
  }

  @Test
  void aPutSendsItsContentTypeOnce() {
    backend.put(
        KEY,
        new ObjectAttributes(Map.of("content-type", "image/png"), Map.of(), Map.of("a", "b c")),
        new ByteArrayInputStream(new byte[1]),
        1,
        Preconditions.NONE);

    Headers sent = received.remove();
    assertThat(sent.get("content-type")).containsExactly("image/png");
    assertThat(sent.getFirst("x-amz-tagging")).isEqualTo("a=b+c");
  }

  @Test
  void aCopySendsTheAttributesThatReplaceAndItsOwnClassAndRedirect() {
    String expires = "Wed, 21 Oct 2015 07:28:00 GMT";
    Map<String, String> headers = Map.of("expires", expires, "content-type", "image/png");
    Map<String, String> ownHeaders =
        Map.of(ObjectAttributes.REDIRECT, "/other", ObjectAttributes.STORAGE_CLASS, "STANDARD_IA");
    CallScope scope = new CallScope(new BucketId(1), 1, 1, CallContext.UNNAMED);
    CopySource source = new CopySource(scope, KEY, Optional.empty(), Preconditions.NONE);
    Optional<ObjectAttributes> others =
        Optional.of(new ObjectAttributes(headers, Map.of("who", "me"), Map.of()));

    backend.copy(copy(scope, source, others, ownHeaders), Optional.empty());
    backend.copy(copy(scope, source, Optional.empty(), ownHeaders), Optional.empty());

    Headers replacing = received.remove();
    headers.forEach((name, value) -> assertThat(replacing.getFirst(name)).isEqualTo(value));
    assertThat(replacing.getFirst("x-amz-meta-who")).isEqualTo("me");
    Headers keeping = received.remove();
    assertThat(keeping.getFirst("x-amz-meta-who")).isNull();
    for (Headers sent : List.of(replacing, keeping)) {
      ownHeaders.forEach((name, value) -> assertThat(sent.getFirst(name)).isEqualTo(value));
    }
  }

  private static TargetRequest.Copy copy(
      CallScope scope,
      CopySource source,
      Optional<ObjectAttributes> attributes,
      Map<String, String> ownHeaders) {
    return new TargetRequest.Copy(
        scope,
        ObjectKey.of("copy"),
        source,
        attributes,
        Optional.empty(),
        ownHeaders,
        Set.of(),
        Preconditions.NONE);
  }

  private void put(Preconditions preconditions) {
    backend.put(
        KEY, ObjectAttributes.NONE, new ByteArrayInputStream(new byte[1]), 1, preconditions);
  }

  private static Preconditions conditions(List<String> ifMatch, List<String> ifNoneMatch) {
    return new Preconditions(ifMatch, ifNoneMatch, OptionalLong.empty(), OptionalLong.empty());
  }
}
