package dev.tarn.sharder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.sharder.pack.PackProgress;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class ProgressDisplayTest {
  private static String line(boolean terminal, StringWriter out) {
    try (ProgressDisplay display =
        new ProgressDisplay(new PackProgress(), 1_000, 2_048, new PrintWriter(out), terminal)) {
      return display.line(250, 512, 2);
    }
  }

  @Test
  void fileGetsPlainLines() {
    StringWriter out = new StringWriter();

    assertThat(line(false, out))
        .isEqualTo(" 25% 250 of 1,000 files, 256 B/s, 125 files/s, 0:06 left");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void terminalGetsABarThatIsWipedAtTheEnd() {
    StringWriter out = new StringWriter();

    assertThat(line(true, out)).startsWith("[######                  ]  25% 250 of");
    assertThat(out.toString()).isEqualTo("\r\u001b[K");
  }
}
