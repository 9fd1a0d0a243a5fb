package dev.tarn.standalone.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DashboardCommandTest {
  @Test
  void dashboardIsTheOneThatTheChartInstalls() throws IOException {
    StringWriter out = new StringWriter();
    PrintWriter buffered = new PrintWriter(new BufferedWriter(out));
    int code = Main.commandLine().setOut(buffered).execute("dashboard");

    assertThat(code).isZero();
    assertThat(out).hasToString(Files.readString(Path.of("../helm/tarn/files/dashboard.json")));
  }
}
