package dev.tarn.standalone;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;

/**
 * Writes one line per event: time in UTC, level, logger, message. Only an event at level ERROR also
 * gets the stack trace of its exception.
 */
final class LineLayout extends LayoutBase<ILoggingEvent> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
  private static final int LEVEL_WIDTH = 5;

  @Override
  public String doLayout(ILoggingEvent event) {
    String level = event.getLevel().toString();
    String logger = event.getLoggerName();
    StringBuilder line = new StringBuilder(TIME.format(Instant.ofEpochMilli(event.getTimeStamp())));
    line.append(' ').append(level).repeat(' ', Math.max(0, LEVEL_WIDTH - level.length()));
    line.append(' ').append(logger, logger.lastIndexOf('.') + 1, logger.length());
    line.append(": ").append(printable(event.getFormattedMessage())).append(System.lineSeparator());
    IThrowableProxy thrown = event.getThrowableProxy();
    if (thrown != null && event.getLevel().isGreaterOrEqual(Level.ERROR)) {
      line.append(ThrowableProxyUtil.asString(thrown));
    }
    return line.toString();
  }

  /** Replaces control characters: object keys may hold line breaks, which would forge lines. */
  private static String printable(String message) {
    return CONTROL.matcher(message).replaceAll("?");
  }
}
