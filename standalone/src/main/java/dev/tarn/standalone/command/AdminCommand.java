package dev.tarn.standalone.command;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.DurationText;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that calls the admin API and prints the answer. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
abstract class AdminCommand {
  @Mixin private AdminOptions options = new AdminOptions();

  @Spec private @Nullable CommandSpec spec;

  final JsonObject call(String method, String path, @Nullable JsonObject body) throws IOException {
    return given(options::client).call(method, path, body);
  }

  final JsonObject call(String method, String path, JsonObject body, Map<String, String> headers)
      throws IOException {
    return given(options::client).call(method, path, body, headers);
  }

  /** Reads options; reports an invalid option as wrong usage. */
  final <T> T given(Given<T> reading) throws IOException {
    try {
      return reading.read();
    } catch (IllegalArgumentException e) {
      throw wrongUsage(String.valueOf(e.getMessage()));
    }
  }

  final Printer printer() {
    return new Printer(spec().commandLine().getOut(), options.json());
  }

  final PrintWriter err() {
    return spec().commandLine().getErr();
  }

  final ParameterException wrongUsage(String message) {
    return new ParameterException(spec().commandLine(), message);
  }

  /** A name as one segment of a URL path: a slash and the percent-encoded name. */
  static String segment(String name) {
    StringBuilder escaped = new StringBuilder();
    for (byte value : name.getBytes(StandardCharsets.UTF_8)) {
      boolean plain =
          (value >= 'a' && value <= 'z')
              || (value >= 'A' && value <= 'Z')
              || (value >= '0' && value <= '9')
              || "-._~".indexOf(value) >= 0;
      escaped.append(plain ? Character.toString(value) : "%%%02X".formatted(value));
    }
    return "/" + escaped;
  }

  /** The documents of a list. */
  static List<JsonObject> documents(JsonObject document, String list) {
    return document.getJsonArray(list).stream().map(JsonObject.class::cast).toList();
  }

  /** Parses {@code --wait}. */
  static Duration waitMax(String text) {
    try {
      return DurationText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--wait is '" + text + "', must be a time such as 60s", e);
    }
  }

  /** Reads options, and the files that they name. */
  @FunctionalInterface
  interface Given<T> {
    T read() throws IOException;
  }

  private CommandSpec spec() {
    return requireNonNull(spec, "picocli sets the spec");
  }
}
