package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the access log when its disk has no room. */
@EnabledOnOs(OS.LINUX)
class AccessLogTest {
  @TempDir private Path folder;

  @Test
  void logGoesOnWhenRoomReturnsAndWhatWasLeftOutIsCounted() throws Exception {
    Path log = folder.resolve("access.log");
    Files.createSymbolicLink(log, Path.of("/dev/full"));
    try (GatewayFixture gateway = gateway(log);
        RawConnection connection = new RawConnection(gateway.port())) {
      while (dropped(gateway) == 0) {
        get(connection, "lost");
      }

      Path room = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("room"));
      Files.move(room, log, StandardCopyOption.ATOMIC_MOVE);
      while (!Files.exists(folder.resolve("room")) || Files.size(folder.resolve("room")) == 0) {
        get(connection, "kept");
      }
    }

    assertThat(Files.readAllLines(folder.resolve("room")))
        .allSatisfy(line -> assertThat(line).startsWith("{").endsWith("}"))
        .anySatisfy(line -> assertThat(line).contains("/kept"));
  }

  private static GatewayFixture gateway(Path log) {
    return new GatewayFixture(GatewayFixture.logging(log), UnaryOperator.identity());
  }

  private static void get(RawConnection connection, String key) throws IOException {
    connection.send("GET /bucket/" + key + " HTTP/1.1\r\nHost: test\r\n\r\n").receive();
  }

  private static double dropped(GatewayFixture gateway) {
    return gateway.metrics().get("tarn.access.log.dropped").functionCounter().count();
  }
}
