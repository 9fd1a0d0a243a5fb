package dev.tarn.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import org.junit.jupiter.api.Test;

class LineLayoutTest {
  @Test
  void keyWithALineBreakStaysInItsLine() {
    LoggingEvent event = new LoggingEvent();
    event.setLoggerContext(new LoggerContext());
    event.setLoggerName("dev.tarn.Some");
    event.setLevel(Level.WARN);
    event.setMessage("{} is damaged");
    event.setArgumentArray(new Object[] {"key\n2026 ERROR forged\u001b"});

    assertThat(new LineLayout().doLayout(event))
        .endsWith(" WARN  Some: key?2026 ERROR forged? is damaged\n");
  }
}
