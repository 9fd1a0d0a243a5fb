package dev.tarn.client;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What the SDK warns of, as long as this is open. */
final class Warnings extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger("dev.tarn.client");
  private final SimpleFormatter formatter = new SimpleFormatter();
  private final List<String> messages = new CopyOnWriteArrayList<>();

  Warnings() {
    logger.addHandler(this);
    logger.setUseParentHandlers(false);
  }

  /** All of it. */
  List<String> messages() {
    return messages;
  }

  @Override
  public void publish(LogRecord logged) {
    if (logged.getLevel().intValue() >= Level.WARNING.intValue()) {
      messages.add(formatter.formatMessage(logged));
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.setUseParentHandlers(true);
    logger.removeHandler(this);
  }
}
