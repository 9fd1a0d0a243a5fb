package dev.tarn.standalone;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sets up logging: one line per event on standard error, at the level of TARN_LOG, default INFO.
 * There is no configuration file, since logback would take longer to parse it than the rest of the
 * start.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {
  /** The environment variable that holds the level. */
  public static final String VARIABLE = "TARN_LOG";

  private static final Map<String, Level> QUIETER =
      Map.of(
          "io.netty", Level.WARN,
          "io.vertx", Level.WARN,
          "software.amazon", Level.WARN);

  /**
   * Checks the value of TARN_LOG.
   *
   * @throws IllegalArgumentException if it is neither empty nor the name of a level
   */
  public static void requireLevel(@Nullable String value) {
    if (value != null && !value.isBlank() && Level.toLevel(value, null) == null) {
      throw new IllegalArgumentException(
          "TARN_LOG is '" + value + "', must be one of off, error, warn, info, debug, trace, all");
    }
  }

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    LineLayout layout = new LineLayout();
    layout.setContext(context);
    layout.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setLayout(layout);
    encoder.start();

    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setContext(context);
    console.setTarget("System.err");
    console.setEncoder(encoder);
    console.start();

    Level level = Level.toLevel(System.getenv(VARIABLE), Level.INFO);
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(level);
    root.addAppender(console);
    if (level.isGreaterOrEqual(Level.INFO)) {
      QUIETER.forEach((name, quieter) -> context.getLogger(name).setLevel(quieter));
    }
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
