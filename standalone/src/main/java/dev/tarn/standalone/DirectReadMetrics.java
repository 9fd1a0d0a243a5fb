package dev.tarn.standalone;

import dev.tarn.transport.server.DirectReadFigures;
import dev.tarn.transport.server.DirectReadFigures.Outcome;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Metrics of the reads by clients with tickets from this process's target. */
final class DirectReadMetrics {
  private DirectReadMetrics() {}

  /** Registers the figures. The caller must keep them: a registry holds only weak references. */
  static void register(DirectReadFigures figures, MeterRegistry registry) {
    for (Outcome outcome : Outcome.values()) {
      FunctionTimer.builder(
              "tarn.direct.reads",
              figures,
              counted -> counted.count(outcome),
              counted -> counted.nanos(outcome),
              TimeUnit.NANOSECONDS)
          .description("Reads by clients with tickets, from the head's arrival to the last byte")
          .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    FunctionCounter.builder("tarn.direct.sent", figures, DirectReadFigures::sentBytes)
        .baseUnit("bytes")
        .description("Bytes of objects that went to clients with tickets")
        .register(registry);
    Gauge.builder("tarn.direct.reads.in.flight", figures, DirectReadFigures::inFlight)
        .description("Reads by clients with tickets that have begun and not ended")
        .register(registry);
  }
}
