package dev.tarn.e2e.process;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How tests start JVMs: with the JDK, the -XX options and the class path of their own. */
public final class TestJvm {
  private TestJvm() {}

  /** The command that runs a class, with further options of the JVM; arguments may follow. */
  public static List<String> command(String mainClass, String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("-XX:"))
        .forEach(command::add);
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
    return command;
  }
}
