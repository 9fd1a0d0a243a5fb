package dev.tarn.gateway.policy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** What reading documents leaves behind. */
class StrictJsonTest {
  @Test
  void namesOfFieldsAreForgottenWithTheirDocuments() throws IOException {
    read("first");
    long before = usedBytes();
    for (int i = 0; i < 4000; i++) {
      read(i + "x".repeat(16_000));
    }
    assertThat(usedBytes() - before).isLessThan(16 << 20);
  }

  private static void read(String name) throws IOException {
    assertThat(StrictJson.read(("{\"" + name + "\": 1}").getBytes(UTF_8)).byName())
        .containsOnlyKeys(name);
  }

  private static long usedBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
