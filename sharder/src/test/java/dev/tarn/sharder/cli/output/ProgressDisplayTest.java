package dev.tarn.sharder.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.sharder.cli.output.ProgressDisplay.Style;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProgressDisplayTest {
  private final StringWriter out = new StringWriter();

  /** After two seconds, of 2 KiB in all. */
  private String line(Style style, long files, long bytes) {
    return line(style, files, bytes, 200);
  }

  private String line(Style style, long files, long bytes, int columns) {
    try (ProgressDisplay display =
        new ProgressDisplay("packing", files, bytes, new PrintWriter(out), style, columns)) {
      display.add(250, 512);
      return display.line(2);
    }
  }

  @Test
  void fileGetsPlainLines() {
    assertThat(line(Style.LINES, 1_000, 2_048))
        .isEqualTo(" 25% packing 250 of 1,000 files, 512 B, 256 B/s, 125 files/s, 0:06 left");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void terminalGetsABarThatIsWipedAtTheEnd() {
    assertThat(line(Style.BAR, 1_000, 2_048))
        .startsWith("[######                  ]  25% packing 250 of");
    assertThat(out.toString()).isEqualTo("\r\u001b[K");
  }

  @Test
  void whatIsUnknownIsNotGuessed() {
    assertThat(line(Style.BAR, -1, -1)).isEqualTo("packing 250 files, 512 B, 256 B/s, 125 files/s");
    assertThat(line(Style.LINES, 1_000, -1)).startsWith(" 25% packing 250 of 1,000 files");
  }

  @Test
  void moreThanWasAnnouncedIsAllOfIt() {
    assertThat(line(Style.BAR, 100, 100)).startsWith("[########################] 100% packing 250");
  }

  @Test
  void programGetsEvents() {
    assertThat(line(Style.JSON, 1_000, -1))
        .isEqualTo(
            "{\"event\":\"progress\",\"doing\":\"packing\",\"files\":250,\"files_total\":1000,"
                + "\"bytes\":512,\"seconds\":2.0}");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      textBlock =
          """
          100, "[######                  ]  25% packing 250 of 1,000 files, 512 B, 256 B/s, 125 files/s, 0:06 left"
           80, " 25% packing 250 of 1,000 files, 512 B, 256 B/s, 125 files/s, 0:06 left"
           70, "[######                  ]  25% packing 250 of 1,000 files, 0:06 left"
           60, " 25% packing 250 of 1,000 files, 0:06 left"
           10, " 25% pack"
          """)
  void narrowTerminalGetsAShorterLine(int columns, String expected) {
    assertThat(line(Style.BAR, 1_000, 2_048, columns)).isEqualTo(expected);
  }
}
