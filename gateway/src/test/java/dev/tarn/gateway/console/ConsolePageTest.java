package dev.tarn.gateway.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ConsolePageTest {
  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<String> forwarded = new CopyOnWriteArrayList<>();
  private final List<String> authorizations = new CopyOnWriteArrayList<>();
  private Optional<URI> s3 = Optional.empty();
  private URI console = URI.create("http://127.0.0.1:1");

  @BeforeEach
  void start() {
    s3 = Optional.of(serve(vertx.createHttpServer().requestHandler(this::answerAsS3)));
    Router router = Router.router(vertx);
    new ConsolePage(vertx, () -> s3).register(router);
    console = serve(vertx.createHttpServer().requestHandler(router));
  }

  @AfterEach
  void stop() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
    client.close();
  }

  private static URI serve(HttpServer server) {
    HttpServer listening =
        server.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
    return URI.create("http://127.0.0.1:" + listening.actualPort());
  }

  /** Answers with a page, as an object may be one. */
  private void answerAsS3(HttpServerRequest request) {
    request
        .body()
        .onSuccess(body -> {
          authorizations.add(String.valueOf(request.getHeader("authorization")));
          forwarded.add(
              request.method() + " " + request.uri() + " " + request.authority() + " " + body);
          request
              .response()
              .putHeader("content-type", "text/html")
              .putHeader("etag", "\"1\"")
              .end("<script>alert(1)</script>");
        });
  }

  @Test
  void pageAndItsFilesAreServedUnderAStrictPolicy() throws Exception {
    HttpResponse<String> page = send(get("/"));
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(header(page, "content-security-policy"))
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe", "http");
    assertThat(header(page, "cache-control")).isEqualTo("no-cache");
    assertThat(send(get("/index.html")).statusCode()).isEqualTo(404);

    Matcher script = Pattern.compile("src=\"\\.(/assets/[^\"]+\\.js)\"").matcher(page.body());
    assertThat(script.find()).isTrue();
    HttpResponse<String> file = send(get(script.group(1)));
    assertThat(header(file, "content-type")).isEqualTo("text/javascript; charset=utf-8");
    assertThat(header(file, "x-content-type-options")).isEqualTo("nosniff");
    assertThat(header(file, "cache-control")).contains("immutable");
  }

  @Test
  void filesAreSmallBecauseTheyAreZipped() throws Exception {
    String plain = send(get("/")).body();
    HttpRequest request =
        HttpRequest.newBuilder(console.resolve("/")).header("accept-encoding", "gzip").build();
    HttpResponse<byte[]> zipped = client.send(request, BodyHandlers.ofByteArray());

    assertThat(new GZIPInputStream(new ByteArrayInputStream(zipped.body())).readAllBytes())
        .isEqualTo(plain.getBytes(UTF_8));
    assertThat(ConsoleFiles.all().values().stream().mapToInt(file -> file.zipped().length()).sum())
        .as("bytes of the whole console")
        .isLessThan(200 << 10);
  }

  @Test
  void signedRequestReachesS3WithTheTargetAndTheHostThatWereSigned() throws Exception {
    HttpRequest put =
        toS3("/bucket/a/../b//c%2F?x-id=1")
            .header("authorization", "AWS4-HMAC-SHA256 signature")
            .PUT(BodyPublishers.ofString("content"))
            .build();

    assertThat(send(put).statusCode()).isEqualTo(200);
    assertThat(forwarded)
        .containsExactly("PUT /bucket/a/../b//c%2F?x-id=1 " + console.getAuthority() + " content");
  }

  @Test
  void whatS3AnswersIsNoPageOfTheConsole() throws Exception {
    HttpResponse<String> answer = send(toS3("/bucket/key?X-Amz-Signature=1").build());
    assertThat(header(answer, "content-security-policy")).isEqualTo("sandbox; default-src 'none'");
    assertThat(header(answer, "x-content-type-options")).isEqualTo("nosniff");
    assertThat(header(answer, "etag")).isEqualTo("\"1\"");
  }

  @Test
  void requestWithoutASignatureIsNotForwarded() throws Exception {
    for (String target :
        List.of("/bucket/key", "/bucket/&X-Amz-Signature=1", "/bucket/key?a=X-Amz-Signature=1")) {
      HttpResponse<String> answer = send(toS3(target).build());
      assertThat(answer.statusCode()).as(target).isEqualTo(403);
      assertThat(answer.body()).contains("signed requests only");
    }
    assertThat(send(get("/s3")).statusCode()).isEqualTo(400);
    assertThat(send(toS3("http://elsewhere/").build()).statusCode()).isEqualTo(400);
    assertThat(forwarded).isEmpty();
  }

  @Test
  void signatureCannotBeHiddenFromS3AsAHeaderOfTheConnection() throws Exception {
    String answer =
        sendText(
            "GET /s3?target=%2Fbucket%2Fkey HTTP/1.1",
            "Authorization: signature", "Connection: close, authorization");
    assertThat(answer).startsWith("HTTP/1.1 200");
    assertThat(authorizations).containsExactly("signature");
  }

  @Test
  void targetThatIsNotPercentEncodedIsRefused() throws Exception {
    for (String target : List.of("%zz", "/bucket/%", "/bucket&x=%e")) {
      String answer =
          sendText(
              "GET /s3?target=" + target + " HTTP/1.1",
              "Authorization: signature",
              "Connection: close");
      assertThat(answer).as(target).startsWith("HTTP/1.1 400");
    }
    assertThat(forwarded).isEmpty();
  }

  @Test
  void targetThatIsForwardedIsTheOneThatWasChecked() throws Exception {
    String signed = "%2Fb%3FX-Amz-Signature=1";
    for (String query : List.of(signed + ";target=%2Fother", signed + "&target=%2Fother")) {
      forwarded.clear();
      sendText("GET /s3?target=" + query + " HTTP/1.1", "Connection: close");
      assertThat(forwarded).as(query).singleElement().asString().startsWith("GET /b?X-Amz-Sig");
    }
    sendText("GET /s3?target=%2Fother;target=" + signed + " HTTP/1.1", "Connection: close");
    assertThat(forwarded).hasSize(1);
  }

  @Test
  void processThatServesNoS3SaysSo() throws Exception {
    s3 = Optional.empty();
    HttpResponse<String> answer = send(toS3("/bucket/key?X-Amz-Signature=1").build());
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("open the console of a gateway");
  }

  /** Sends lines that clients of HTTP refuse; returns the start of the answer. */
  private String sendText(String... lines) throws IOException {
    try (Socket socket = new Socket(console.getHost(), console.getPort())) {
      socket.setSoTimeout(10_000);
      String head = String.join("\r\n", lines) + "\r\nHost: console\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(UTF_8));
      return new String(socket.getInputStream().readNBytes("HTTP/1.1 200".length()), UTF_8);
    }
  }

  private HttpRequest get(String path) {
    return HttpRequest.newBuilder(console.resolve(path)).build();
  }

  private HttpRequest.Builder toS3(String target) {
    return HttpRequest.newBuilder(
        console.resolve("/s3?target=" + URLEncoder.encode(target, UTF_8)));
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return client.send(request, BodyHandlers.ofString());
  }

  private static String header(HttpResponse<String> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }
}
