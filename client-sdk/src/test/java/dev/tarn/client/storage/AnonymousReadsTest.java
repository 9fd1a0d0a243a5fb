package dev.tarn.client.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AnonymousReadsTest {
  @Test
  void publicBucketIsReadByUnsignedRequests() throws IOException {
    byte[] content = {1, 2, 3};
    List<Boolean> signed = new ArrayList<>();
    try (FaultyServer server = new FaultyServer();
        Storage storage =
            Storage.open(
                StorageOptions.builder()
                    .endpoint(URI.create(server.url("")))
                    .anonymous(true)
                    .build())) {
      server.put("/public/a.tar", content);
      server.failNext((exchange, bytes) -> {
        signed.add(exchange.getRequestHeaders().containsKey("Authorization"));
        return false;
      });

      assertThat(storage.readAll(StorageUrl.parse("s3://public/a.tar"), 10)).isEqualTo(content);
    }
    assertThat(signed).containsExactly(false);
  }
}
