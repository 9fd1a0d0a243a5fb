package dev.tarn.standalone.config;

import java.util.List;

/** The configuration is invalid. Each problem names the key, its origin and the expected value. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<String> problems;

  public ConfigException(List<String> problems) {
    super(String.join(System.lineSeparator(), problems));
    this.problems = List.copyOf(problems);
  }

  /** The problems, at least one. */
  public List<String> problems() {
    return problems;
  }
}
