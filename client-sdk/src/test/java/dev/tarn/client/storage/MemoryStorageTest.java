package dev.tarn.client.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class MemoryStorageTest {
  private static final StorageUrl URL = StorageUrl.parse("memory://test/object");

  private final Storage storage = new MemoryStorage();

  private String etag(Storage in, String content) throws IOException {
    in.write(URL, UTF_8.encode(content));
    return requireNonNull(in.stat(URL).etag());
  }

  @Test
  void otherContentHasAnotherEtagAlsoInAnotherStorage() throws IOException {
    String etag = etag(storage, "one");
    assertThat(etag(storage, "two")).isNotEqualTo(etag);
    assertThat(etag(storage, "one")).isNotEqualTo(etag);
    assertThat(etag(new MemoryStorage(), "two")).isNotEqualTo(etag);
  }
}
