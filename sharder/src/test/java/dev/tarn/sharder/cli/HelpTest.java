package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What the commands say of themselves. */
final class HelpTest {
  @TempDir Path directory;

  private static Map<String, CommandLine> commands() {
    return SharderMain.commandLine(new Interruption(), OutputStream.nullOutputStream())
        .getSubcommands();
  }

  static List<String> names() {
    return List.copyOf(commands().keySet());
  }

  @ParameterizedTest
  @MethodSource("names")
  void helpHasAnExampleOfTheCommand(String name) {
    CommandLineRun help = CommandLineRun.of(name, "--help");

    assertThat(help.exitCode()).isZero();
    assertThat(help.out())
        .contains("Usage: sharder " + name)
        .containsPattern("(?s)Examples:.*\\R  [^\\r\\n]*sharder " + name + "\\b");
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyOptionSaysWhatItDoesAndItsDefault(String name) {
    for (OptionSpec option : requireNonNull(commands().get(name)).getCommandSpec().options()) {
      String description = String.join(" ", option.description());
      assertThat(description).as(option.longestName()).isNotBlank();
      if (option.defaultValue() != null) {
        assertThat(description)
            .as(option.longestName())
            .containsAnyOf("${DEFAULT-VALUE}", "default:");
      }
    }
  }

  @Test
  void helpOfAllNamesEveryCommand() {
    assertThat(CommandLineRun.of("--help").out())
        .contains(names().stream().map(name -> "\n  " + name + " ").toList());
    assertThat(CommandLineRun.of().err()).contains(names());
  }

  @Test
  void completionIsAScriptThatBashTakes() throws IOException, InterruptedException {
    for (String shell : List.of("bash", "zsh")) {
      CommandLineRun completion = CommandLineRun.of("completion", shell);
      assertThat(completion.exitCode()).as(completion.err()).isZero();
      assertThat(completion.out()).contains(names()).contains("--max-size", "complete -F");
    }
    Path script = directory.resolve("completion");
    Files.writeString(script, CommandLineRun.of("completion", "bash").out(), UTF_8);
    Files.writeString(
        directory.resolve("try"),
        """
        compopt() { :; }
        source completion
        COMP_WORDS=(sharder ver); COMP_CWORD=1; COMP_LINE="sharder ver"; COMP_POINT=11
        _complete_sharder sharder ver sharder
        echo "${COMPREPLY[@]}"
        COMP_WORDS=(sharder verify --de); COMP_CWORD=2; COMP_LINE="sharder verify --de"
        COMP_POINT=${#COMP_LINE}
        _complete_sharder sharder --de verify
        echo "${COMPREPLY[@]}"
        """,
        UTF_8);

    Process bash =
        new ProcessBuilder("bash", "try")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    String printed = new String(bash.getInputStream().readAllBytes(), UTF_8);

    assertThat(bash.waitFor()).as(printed).isZero();
    assertThat(printed.lines()).containsExactly("verify", "--debug");
  }

  @Test
  void shellThatIsUnknownIsWrongUsage() {
    assertThat(CommandLineRun.of("completion", "fish").exitCode()).isEqualTo(2);
    assertThat(CommandLineRun.of("completion").exitCode()).isEqualTo(2);
  }
}
