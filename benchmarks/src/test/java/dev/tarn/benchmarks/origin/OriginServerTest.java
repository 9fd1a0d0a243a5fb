package dev.tarn.benchmarks.origin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OriginServerTest {
  private static final SyntheticObject OBJECT = SyntheticObject.of(3_000_000, 7);

  private static HttpResponse<byte[]> ask(OriginServer origin, String method, String... headers)
      throws IOException, InterruptedException {
    return ask(origin, method, "/bucket/" + OBJECT.key(), headers);
  }

  private static HttpResponse<byte[]> ask(
      OriginServer origin, String method, String path, String[] headers)
      throws IOException, InterruptedException {
    URI uri = origin.endpoint().resolve(path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }
  }

  private static long crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return crc.getValue();
  }

  @Test
  void objectsAreServedWholeAndByRangesAndCounted(@TempDir Path folder)
      throws IOException, InterruptedException {
    try (OriginServer origin = OriginServer.start(folder, Duration.ZERO, 0)) {
      HttpResponse<byte[]> whole = ask(origin, "GET");
      assertThat(whole.statusCode()).isEqualTo(200);
      assertThat(whole.body()).hasSize(3_000_000);
      assertThat(crc(whole.body())).isEqualTo(SyntheticObject.crc32c(0, 3_000_000));

      HttpResponse<byte[]> range = ask(origin, "GET", "Range", "bytes=1048000-2999999");
      assertThat(range.statusCode()).isEqualTo(206);
      assertThat(range.headers().firstValue("content-range"))
          .hasValue("bytes 1048000-2999999/3000000");
      assertThat(crc(range.body())).isEqualTo(SyntheticObject.crc32c(1_048_000, 1_952_000));
      assertThat(range.headers().firstValue("etag")).isEqualTo(whole.headers().firstValue("etag"));

      assertThat(ask(origin, "GET", "Range", "bytes=3000000-").statusCode()).isEqualTo(416);
      assertThat(ask(origin, "HEAD").headers().firstValue("content-length")).hasValue("3000000");
      assertThat(ask(origin, "GET", "/bucket/none", new String[0]).statusCode()).isEqualTo(404);
      assertThat(origin.figures()).isEqualTo(new OriginFigures(5, 5, 3_000_000 + 1_952_000));
    }
  }
}
