package dev.tarn.standalone.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.tarn.client.storage.AccessKeys;
import dev.tarn.client.storage.RetryPolicy;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.standalone.config.Settings;
import dev.tarn.standalone.node.KeyPair;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What the log says of a backend that is away and of a full disk: each once, not per request. */
final class OutageLogTest {
  private static final StorageUrl PLACE = StorageUrl.parse("s3://data/folder/");

  private final Logger logger = (Logger) LoggerFactory.getLogger("dev.tarn.targetnode");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  @TempDir private Path directory;

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(lines);
  }

  private List<String> logged(String part) {
    return lines.list.stream()
        .map(ILoggingEvent::getFormattedMessage)
        .filter(line -> line.contains(part))
        .toList();
  }

  @Test
  void backendThatIsAwayAndBackIsLoggedOnceEach() throws Exception {
    RunningTarn backend = RunningTarn.start(directory.resolve("backend"));
    URI address = backend.tarn().ready().url();
    try (RunningTarn server = RunningTarn.start(directory.resolve("data"))) {
      backend.run("bucket", "create", "origin");
      server.run(
          "bucket",
          "create",
          "data",
          "--backend=s3://origin",
          "--backend-endpoint=" + address,
          "--backend-credentials=" + backend.tarn().credentialsFile());
      try (Storage storage = storage(server)) {
        assertThat(list(storage)).isEmpty();
        backend.close();
        for (int i = 0; i < 3; i++) {
          assertThatThrownBy(() -> list(storage)).isInstanceOf(IOException.class);
        }
        assertThat(logged("s3://origin/ at " + address + " could not be reached")).hasSize(1);
        assertThat(logged("answers again")).isEmpty();

        Settings samePort =
            Settings.none().with("gateway.port", Integer.toString(address.getPort()), "test");
        backend = RunningTarn.start(directory.resolve("backend"), samePort);
        assertThat(list(storage)).isEmpty();
        assertThat(list(storage)).isEmpty();
        assertThat(logged("s3://origin/ at " + address + " answers again")).hasSize(1);
      }
    } finally {
      backend.close();
    }
  }

  @Test
  void fullDiskIsLoggedOnce() throws Exception {
    Settings noRoom = Settings.none().with("target.store.reserve-bytes", "1000000GiB", "test");
    try (RunningTarn server = RunningTarn.start(directory, noRoom);
        Storage storage = storage(server)) {
      server.run("bucket", "create", "data");
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> storage.write(PLACE.child("x"), ByteBuffer.allocate(1 << 20)))
            .hasMessageContaining("507");
      }
      assertThat(logged("is full: no more than target.store.reserve-bytes is free")).hasSize(1);
    }
  }

  private static Storage storage(RunningTarn server) throws IOException {
    KeyPair pair = KeyPair.inFile(server.tarn().credentialsFile()).orElseThrow();
    return Storage.open(
        StorageOptions.builder()
            .endpoint(server.tarn().ready().url())
            .region("us-east-1")
            .credentials(AccessKeys.of(pair.accessKey(), pair.secretKey()))
            .retries(RetryPolicy.NONE)
            .build());
  }

  private static List<StoredObject> list(Storage storage) throws IOException {
    try (Stream<StoredObject> objects = storage.list(PLACE)) {
      return objects.toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
