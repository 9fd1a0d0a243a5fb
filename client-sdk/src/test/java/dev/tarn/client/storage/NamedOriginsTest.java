package dev.tarn.client.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.storage.Storage.NamedOrigin;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The origin of an object, which the answer to a GET names. */
final class NamedOriginsTest {
  private static final StorageUrl MANIFEST = StorageUrl.parse("s3://cached/train/dataset.json");

  private FaultyServer server;
  private Storage storage;

  @BeforeEach
  void serve() throws IOException {
    server = new FaultyServer();
    server.put("/cached/train/dataset.json", new byte[2]);
    storage =
        Storage.open(
            StorageOptions.builder().endpoint(URI.create(server.url(""))).anonymous(true).build());
  }

  @AfterEach
  void stop() {
    storage.close();
    server.close();
  }

  private Optional<NamedOrigin> named(String origin, String endpoint, String region)
      throws IOException {
    server.failNext((exchange, content) -> {
      exchange.getResponseHeaders().set("x-tarn-origin", origin);
      exchange.getResponseHeaders().set("x-tarn-origin-endpoint", endpoint);
      exchange.getResponseHeaders().set("x-tarn-origin-region", region);
      return false;
    });
    storage.readAll(MANIFEST, 10);
    return storage.namedOrigin(MANIFEST);
  }

  @Test
  void originIsTheOneThatTheLastAnswerNames() throws IOException {
    assertThat(named("s3://far/gr%C3%B6%C3%9Fe/dataset.json", "http://far:9000", "eu-west-1"))
        .contains(
            new NamedOrigin(
                StorageUrl.parse("s3://far/gr\u00f6\u00dfe/dataset.json"),
                Optional.of(URI.create("http://far:9000")),
                "eu-west-1"));

    storage.readAll(MANIFEST, 10);

    assertThat(storage.namedOrigin(MANIFEST)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "file:///etc/passwd, http://far, eu",
    "http://far/dataset.json, http://far, eu",
    "no url, http://far, eu",
    "s3://far/%zz, http://far, eu",
    "s3://far/dataset.json, ftp://far, eu",
    "s3://far/dataset.json, http:, eu"
  })
  void originThatIsNotValidIsNone(String origin, String endpoint, String region)
      throws IOException {
    assertThat(named(origin, endpoint, region)).isEmpty();
  }
}
