package dev.tarn.targetnode.lifecycle;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Counts what lifecycle rules do. Safe for use by many threads. */
final class LifecycleMeters {
  /** The actions of a round. A deletion counts when it has been done. */
  enum Deed {
    ROUND("rounds", "Rounds that were carried out"),
    OBJECT_EXPIRED("objects.expired", "Objects deleted"),
    VERSION_REMOVED("versions.removed", "Noncurrent versions removed"),
    MARKER_REMOVED("markers.removed", "Delete markers removed that hid nothing"),
    UPLOAD_ABORTED("uploads.aborted", "Uploads given up"),
    FAILURE("failures", "Calls and walks that failed");

    private final String meter;
    private final String description;

    Deed(String meter, String description) {
      this.meter = meter;
      this.description = description;
    }

    private Counter register(MeterRegistry registry) {
      return Counter.builder("tarn.lifecycle." + meter).description(description).register(registry);
    }
  }

  private final Map<Deed, Counter> counters;

  LifecycleMeters(MeterRegistry registry) {
    counters =
        Arrays.stream(Deed.values())
            .collect(Collectors.toMap(Function.identity(), deed -> deed.register(registry)));
  }

  void count(Deed deed) {
    counter(deed).increment();
  }

  /** How often this was done since the start. */
  long counted(Deed deed) {
    return (long) counter(deed).count();
  }

  private Counter counter(Deed deed) {
    return requireNonNull(counters.get(deed));
  }
}
