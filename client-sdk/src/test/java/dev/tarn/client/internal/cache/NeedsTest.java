package dev.tarn.client.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NeedsTest {
  @TempDir Path folder;

  @Test
  void whatOneThreadIsInterruptedInTellingAnotherTells() throws IOException {
    try (PinFile needs = PinFile.open(folder, List.of("a"))) {
      needs.reserve(7);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> needs.reserve(8)).isInstanceOf(ClosedByInterruptException.class);
      assertThat(Thread.interrupted()).isTrue();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> needs.add("b")).isInstanceOf(ClosedByInterruptException.class);
      assertThat(Thread.interrupted()).isTrue();
      needs.reserve(9);
      needs.add("c");
      assertThat(PinFile.all(folder).reservedBytes()).isEqualTo(9);
      assertThat(PinFile.all(folder).names()).containsExactlyInAnyOrder("a", "c");
    }
  }
}
