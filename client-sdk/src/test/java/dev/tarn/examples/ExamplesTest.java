package dev.tarn.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

class ExamplesTest {
  @TempDir private Path temporary;

  @Test
  @ResourceLock(Resources.SYSTEM_OUT)
  void datasetIsWrittenAndRead() throws IOException {
    String folder = temporary.resolve("squares").toString();
    WriteDataset.main(new String[] {folder, "250"});
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      ReadDataset.main(new String[] {folder});
    } finally {
      System.setOut(console);
    }
    assertThat(printed.toString(UTF_8).lines())
        .hasSize(250)
        .contains("000000: 0", "000012: 144", "000249: 62001");
  }
}
