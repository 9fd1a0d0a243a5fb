package dev.tarn.targetnode.cache;

import dev.tarn.cluster.wire.TrafficHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last steps of one length. A new step takes the place of the oldest. Its user locks it. */
final class TrafficSteps {
  private final @Nullable TrafficStep[] steps;

  TrafficSteps(int count) {
    this.steps = new TrafficStep[count];
  }

  /** The step of this number, which is new or among the last. */
  TrafficStep at(long number) {
    int place = (int) (number % steps.length);
    TrafficStep present = steps[place];
    if (present == null || present.number != number) {
      present = new TrafficStep(number);
      steps[place] = present;
    }
    return present;
  }

  /** The steps from this number on, in order. */
  List<TrafficStep> since(long first) {
    List<TrafficStep> found = new ArrayList<>();
    for (TrafficStep step : steps) {
      if (step != null && step.number >= first) {
        found.add(step);
      }
    }
    found.sort(Comparator.comparingLong(step -> step.number));
    return found;
  }

  /** The steps with traffic, for reports. */
  List<TrafficHistory.Step> history(Duration length) {
    return since(0).stream()
        .filter(step -> !step.isEmpty())
        .map(step ->
            new TrafficHistory.Step(
                step.number * length.toMillis(), step.traffic(length.toSeconds())))
        .toList();
  }
}
