package dev.tarn.benchmarks.suite;

import java.io.IOException;
import java.util.List;

/** Measures how a gateway serves clients under adverse conditions, one scenario after the other. */
final class LoadBenchmark implements Benchmark {
  static final String NAME = "load";

  private static final List<Scenario> SCENARIOS =
      List.of(
          new Scenario("busy-machine", new BusyMachineLoad()),
          new Scenario("lost-target", new LostTargetLoad()),
          new Scenario("silent-target", new SilentTargetLoad()),
          new Scenario("slow-clients", new SlowClientsLoad()));

  @Override
  public void run(Run run) throws IOException {
    Scenario.run(run, SCENARIOS);
  }
}
