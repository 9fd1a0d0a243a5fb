package dev.tarn.targetnode.store;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs defects of this program under an incident id, which the answer repeats. */
public final class Incidents {
  private static final Logger LOG = LoggerFactory.getLogger(Incidents.class);

  private Incidents() {}

  /** Logs a defect and returns the id of the incident. */
  public static String log(String what, Throwable cause) {
    String incident = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    LOG.error("{} by a defect, incident {}", what, incident, cause);
    return incident;
  }
}
